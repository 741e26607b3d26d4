// says: [HOCKET          ]|[ROLLING TEXT FOR]|[OLLING TEXT FOR ]
// Text that rolls over sixteen places.
char shown[17];

void put(const char *text, unsigned from) {
  unsigned length = strlen(text);
  for (byte i = 0; i < 16; i++) shown[i] = from + i < length ? text[from + i] : ' ';
  shown[16] = 0;
}
void show() {
  Serial.print('[');
  Serial.print(shown);
  Serial.println(']');
}

void setup() {
  Serial.begin(115200);
  put("HOCKET", 0);
  show();
}

void loop(1, 20, 100) {
  delay(100);
  static unsigned from;
  if (from > 1) return;
  String text = F("rolling text for sixteen places");
  text.toUpperCase();
  put(text.c_str(), from++);
  show();
}

void loop(2, 1, 25) { delay(25); }
