// A display of characters with an HD44780 at four data lines; R/W is on ground.
#pragma once

#include <Arduino.h>

class Display : public Print {
 public:
  Display(byte rs, byte enable, byte d4, byte d5, byte d6, byte d7)
      : rs_(rs), enable_(enable), data_{d4, d5, d6, d7} {}

  void begin(byte columns, byte lines) {
    columns_ = columns;
    pinMode(rs_, OUTPUT);
    pinMode(enable_, OUTPUT);
    for (byte pin : data_) pinMode(pin, OUTPUT);
    delay(50);  // it needs 40 ms after power-on
    digitalWrite(rs_, LOW);
    digitalWrite(enable_, LOW);
    // Whatever it did before, after three of these it takes eight lines; then four.
    for (byte turn = 0; turn < 3; turn++) {
      half(3);
      delayMicroseconds(4500);
    }
    half(2);
    command(lines > 1 ? 0x28 : 0x20);
    command(0x0c);  // on, without a cursor
    clear();
    command(0x06);  // to the right
  }

  void clear() {
    command(0x01);
    delay(2);
  }
  void setCursor(byte column, byte line) {
    command(0x80 | ((line & 1) * 0x40 + (line / 2) * columns_ + column));
  }
  // One of eight characters of its own: a byte for each row of five points.
  void createChar(byte number, const byte* rows) {
    command(0x40 | number << 3);
    for (byte row = 0; row < 8; row++) write(rows[row]);
    command(0x80);
  }

  size_t write(uint8_t character) override {
    send(character, HIGH);
    return 1;
  }
  using Print::write;

 private:
  void command(byte code) { send(code, LOW); }
  void send(byte value, byte rs) {
    digitalWrite(rs_, rs);
    half(value >> 4);
    half(value);
  }
  void half(byte value) {
    for (byte bit = 0; bit < 4; bit++) digitalWrite(data_[bit], value >> bit & 1);
    digitalWrite(enable_, HIGH);
    delayMicroseconds(1);
    digitalWrite(enable_, LOW);
    delayMicroseconds(50);  // it works for 41
  }

  byte rs_;
  byte enable_;
  byte data_[4];
  byte columns_ = 16;
};
