char text[40];
void setup() {
  Serial.begin(115200);
  sprintf(text, "%d|%5d|%-5d|%05d|%x|%s", 7, 7, 7, 7, 255, "end");
  Serial.println(text);
  Serial.println(atoi("-123"));
  Serial.println(strtol("7f", 0, 16));
  dtostrf(3.14159, 8, 3, text);
  Serial.println(text);
  strcpy(text, "a,b,c");
  for (char *p = strtok(text, ","); p; p = strtok(0, ",")) Serial.println(p);
  Serial.println(itoa(-42, text, 10));
  Serial.println(ltoa(123456L, text, 16));
  Serial.println(strlen_P(PSTR("four")));
}
void loop() {}
