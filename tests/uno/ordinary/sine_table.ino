// says: 0 128|16 255|32 128|48 1|sum 8192
// A sine from a table in flash, put out as PWM.
const uint8_t sine[64] PROGMEM = {
    128, 140, 152, 165, 176, 188, 198, 208, 218, 226, 234, 240, 245, 250, 253, 254,
    255, 254, 253, 250, 245, 240, 234, 226, 218, 208, 198, 188, 176, 165, 152, 140,
    128, 116, 104, 91,  80,  68,  58,  48,  38,  30,  22,  16,  11,  6,   3,   2,
    1,   2,   3,   6,   11,  16,  22,  30,  38,  48,  58,  68,  80,  91,  104, 116};

byte phase;

void setup() {
  Serial.begin(115200);
  pinMode(3, OUTPUT);
}

void loop(1, 1, 5) {
  delay(5);
  analogWrite(3, pgm_read_byte(&sine[phase]));
  phase = (phase + 1) & 63;
}

void loop(2, 10, 100) {
  delay(100);
  static byte round_;
  if (round_ < 4) {
    byte at = round_ * 16;
    Serial.print(at);
    Serial.print(' ');
    Serial.println(pgm_read_byte(sine + at));
  } else if (round_ == 4) {
    unsigned sum = 0;
    for (byte i = 0; i < 64; i++) sum += pgm_read_byte_near(sine + i);
    Serial.print("sum ");
    Serial.println(sum);
  }
  round_++;
}
