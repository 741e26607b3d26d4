// says: c4 262|e4 330|g4 392|c5 523|end
// Notes from flash; names beside.
const int notes[] PROGMEM = {262, 330, 392, 523};
const char names[][3] PROGMEM = {"c4", "e4", "g4", "c5"};
volatile int playing = -1;

void setup() { Serial.begin(115200); }

void loop(1, 5, 60) {
  delay(60);
  static byte n;
  if (n > 4) return;
  if (n == 4) {
    noTone(8);
    Serial.println("end");
  } else {
    int note = pgm_read_word(&notes[n]);
    char name[3];
    memcpy_P(name, names[n], 3);
    tone(8, note);
    Serial.print(name);
    Serial.print(' ');
    Serial.println(note);
  }
  n++;
}

void loop(2, 1, 20) { delay(20); }
