// Strings by value, changed where they arrive: the original stays as it is, and no memory is given
// back twice.
String longer(String text) {
  text += " is a text that needs memory of its own";
  return text;
}
void change(String text) {
  text.toUpperCase();
  text += text;
}

void setup() {
  Serial.begin(57600);
  String first = "this";
  for (int i = 0; i < 50; i++) {
    String second = longer(first);
    change(second);
    if (second != String("this") + " is a text that needs" + ' ' + "memory of its own") {
      Serial.println("wrong: " + second);
      return;
    }
  }
  Serial.println(longer(first + '!') + 1 + 2L + 3.5);
  Serial.println(first);
}
void loop() {}
