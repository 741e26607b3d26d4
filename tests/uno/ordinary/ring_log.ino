// says: 8 kept|4 5 6 7 8 9 10 11|lost 4
// Events from one loop, shown by another.
struct Event {
  unsigned long at;
  int value;
};
Event ring[8];
volatile byte head, count;
int lost;

void add(int value) {
  ring[head] = {millis(), value};
  head = (head + 1) & 7;
  if (count < 8)
    count++;
  else
    lost++;
}

void setup() { Serial.begin(115200); }

void loop(1, 1, 10) {
  delay(10);
  static int n;
  if (n < 12) add(n++);
}

void loop(2, 20, 400) {
  delay(150);
  static byte round_;
  if (round_++ != 1) return;
  Serial.print(count);
  Serial.println(" kept");
  String line;
  for (byte i = 0; i < count; i++) {
    if (i) line += ' ';
    line += ring[(head + i) & 7].value;
  }
  Serial.println(line);
  Serial.println("lost " + String(lost));
}
