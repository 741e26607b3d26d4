// sends: hello brave new world\n
// says: HELLO|BRAVE|NEW|WORLD|blinks 5
// Words from Serial, in capitals; a light beside.
int blinks;

void setup() {
  Serial.begin(115200);
  pinMode(LED_BUILTIN, OUTPUT);
}

String word_;

void loop(1, 5, 20) {
  delay(20);
  while (Serial.available()) {
    char c = Serial.read();
    if (c == ' ' || c == '\n') {
      word_.toUpperCase();
      Serial.println(word_);
      word_ = "";
    } else {
      word_ += c;
    }
  }
}

void loop(2, 2, 100) {
  delay(100);
  digitalWrite(LED_BUILTIN, blinks++ & 1);
  if (blinks == 5) {
    Serial.print("blinks ");
    Serial.println(blinks);
  }
}
