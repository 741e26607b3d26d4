// What main() calls between init() and setup().
byte begun = 1;
extern "C" void initVariant() { begun = 42; }
void setup() {
  Serial.begin(9600);
  Serial.println(begun);
}
void loop() {}
