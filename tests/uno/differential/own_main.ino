// A main() of the sketch's own.
#include <Arduino.h>
int main() {
  init();
  pinMode(13, OUTPUT);
  for (;;) {
    digitalWrite(13, HIGH);
    delay(10);
    digitalWrite(13, LOW);
    delay(20);
  }
}
