void setup() {
  Serial.begin(115200);
  String s = "one";
  s += ',';
  s += 2;
  s += String(3.5, 1);
  s.toUpperCase();
  Serial.println(s);
  Serial.println(s.indexOf('2'));
  Serial.println(s.substring(1, 4));
  s.replace("E", "ee");
  Serial.println(s);
  Serial.println(String(255, HEX) + " " + String(-1));
  Serial.println(String("12.5x").toFloat());
  Serial.println(String("abc") < String("abd"));
  String t = "  trim me ";
  t.trim();
  Serial.println(t + "|");
  Serial.println(t.startsWith("trim"));
}
void loop() {}
