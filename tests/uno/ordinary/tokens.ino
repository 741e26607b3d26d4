// sends: T=21.5;H=60;P=1013\n
// says: T is 21.5|H is 60|P is 1013|3 keys
// Keys and values of a line, with functions of String.
int keys;

void pair(const String &text) {
  int equals = text.indexOf('=');
  if (equals < 0) return;
  String key = text.substring(0, equals), value = text.substring(equals + 1);
  value.trim();
  Serial.println(key + " is " + value);
  keys++;
}

void setup() {
  Serial.begin(115200);
  Serial.setTimeout(50);
}

void loop(1, 30, 100) {
  delay(100);
  if (!Serial.available()) return;
  String line = Serial.readStringUntil('\n');
  int from = 0;
  for (int to; (to = line.indexOf(';', from)) >= 0; from = to + 1) pair(line.substring(from, to));
  pair(line.substring(from));
  Serial.println(String(keys) + " keys");
}

void loop(2, 1, 10) { delay(10); }
