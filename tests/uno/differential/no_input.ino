// A Stream's calls when nothing comes.
void serialEvent() { Serial.println("event"); }
void setup() {
  Serial.begin(9600);
  Serial.setTimeout(20);
  Serial.println(Serial.parseInt());
  Serial.println(Serial.read());
  Serial.println(Serial.available());
  Serial.println(Serial.readString().length());
}
void loop() {}
