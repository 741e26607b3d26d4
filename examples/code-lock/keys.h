// Keys in rows and columns: a column after the other is made low, and a pressed key pulls its row
// down with it. Rows have pull-ups; columns that are not scanned are inputs, so that two keys at
// once do not connect two outputs.
#pragma once

#include <Arduino.h>

class Keys {
 public:
  Keys(const char* labels, const byte* rows, byte row_count, const byte* columns, byte column_count)
      : labels_(labels),
        rows_(rows),
        columns_(columns),
        row_count_(row_count),
        column_count_(column_count) {}

  void begin() {
    for (byte row = 0; row < row_count_; row++) pinMode(rows_[row], INPUT_PULLUP);
  }

  // A key that is newly pressed, or 0. To be called every 10 ms or so: one call that sees it and
  // the next one make a press, so that a contact that bounces makes one.
  char get() {
    char now = scan();
    bool fresh = now == last_ && now != reported_;
    last_ = now;
    if (!fresh) return 0;
    reported_ = now;
    return now;
  }

 private:
  char scan() {
    char found = 0;
    for (byte column = 0; column < column_count_; column++) {
      pinMode(columns_[column], OUTPUT);
      digitalWrite(columns_[column], LOW);
      for (byte row = 0; row < row_count_; row++) {
        if (digitalRead(rows_[row]) == LOW) found = labels_[row * column_count_ + column];
      }
      pinMode(columns_[column], INPUT);
    }
    return found;
  }

  const char* labels_;
  const byte* rows_;
  const byte* columns_;
  byte row_count_;
  byte column_count_;
  char last_ = 0;
  char reported_ = 0;
};
