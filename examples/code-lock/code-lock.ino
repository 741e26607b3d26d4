// A code lock: a keypad, a display of characters, a lamp for the bolt.
//
// Scanning the keys and writing to the display are loops of their own: a display needs milliseconds, and no key
// is missed meanwhile. Expected: the display shows "4711 opens", and pin 13 is high for two seconds.

#include "display.h"
#include "keys.h"

const int BOLT = 13;
const char CODE[] = "4711";

const byte ROWS[] = {9, 8, 7, 6};
const byte COLUMNS[] = {5, 4, 3, 2};
const char LABELS[] = "123A456B789C*0#D";

Keys keys(LABELS, ROWS, 4, COLUMNS, 4);
Display display(12, 11, A0, A1, A2, A3);
Ringbuf<char, 16> typed;

byte bolt[8] = {0b01110, 0b10001, 0b10001, 0b11111, 0b11011, 0b11011, 0b11111, 0b00000};

void setup() {
  Serial.begin(115200);
  pinMode(BOLT, OUTPUT);
  keys.begin();
  display.begin(16, 2);
  display.createChar(0, bolt);
  display.print("Code:");
}

void loop(1, 2, 20) {  // keys
  char key = keys.get();
  if (key != 0) ringbufWrite(typed, key);
  delay(15);
}

void loop(2, 15, 50) {  // the lock
  static char code[17];
  static byte length = 0;
  char key;
  while (ringbufRead(typed, key)) {
    Serial.print(key);
    if (key != '#') {
      if (length < 16) code[length++] = key;
      display.setCursor(length - 1, 1);
      display.print('*');
      continue;
    }
    code[length] = 0;
    bool right = strcmp(code, CODE) == 0;
    length = 0;
    display.clear();
    display.print(code);
    display.print(right ? " opens " : " is wrong");
    if (right) display.write(byte(0));
    display.setCursor(0, 1);
    digitalWrite(BOLT, right);
    Serial.println(right ? " open" : " wrong");
    if (!right) continue;
    delay(2000);
    digitalWrite(BOLT, LOW);
  }
  delay(30);
}
