const int table[] PROGMEM = {1, -2, 300, -4000};
const char a[] PROGMEM = "alpha";
const char b[] PROGMEM = "beta";
const char *const names[] PROGMEM = {a, b};
const float f[] PROGMEM = {1.5, -2.25};
void setup() {
  Serial.begin(115200);
  for (int i = 0; i < 4; i++) Serial.println((int)pgm_read_word(&table[i]));
  char buffer[10];
  for (int i = 0; i < 2; i++) {
    strcpy_P(buffer, (char *)pgm_read_word(&names[i]));
    Serial.println(buffer);
  }
  Serial.println(pgm_read_float(&f[1]));
  Serial.println(pgm_read_byte(a + 1));
}
void loop() {}
