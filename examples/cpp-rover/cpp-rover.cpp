// The rover's two loops as a C++ program: the same system without the .ino step.
//
// HOCKET_LOOP(id, C, T, options...) is what `void loop(id, C, T)` becomes; it works in any .cpp
// file.
#include <Hocket.h>

namespace {

constexpr int kTrigger = 11;
constexpr int kEcho = 2;
constexpr int kLeftForward = 4;
constexpr int kLeftBackward = 5;
constexpr int kRightForward = 6;
constexpr int kRightBackward = 7;
constexpr float kSafe = 1.0F;   // metres
constexpr int kTurnRounds = 8;  // of 100 ms: a turn of about 120 degrees

/// What the sensing loop knows; the channel hands it over whole.
struct Sight {
  float metres;
  unsigned long taken_ms;
};

Channel<Sight> sight;

Sight look() {
  digitalWrite(kTrigger, HIGH);
  delayMicroseconds(10);
  digitalWrite(kTrigger, LOW);
  const unsigned long echo_us = pulseIn(kEcho, HIGH, 30000);
  const float metres = echo_us == 0 ? 4.0F : static_cast<float>(echo_us) / 2.0F / 2910.0F;
  return {metres, millis()};
}

void drive(int left, int right) {
  digitalWrite(kLeftForward, left > 0);
  digitalWrite(kLeftBackward, left < 0);
  digitalWrite(kRightForward, right > 0);
  digitalWrite(kRightBackward, right < 0);
}

}  // namespace

void setup() {
  Serial.begin(115200);
  constexpr int kOutputs[] = {kTrigger, kLeftForward, kLeftBackward, kRightForward, kRightBackward};
  for (const int pin : kOutputs) pinMode(pin, OUTPUT);
  pinMode(kEcho, INPUT);
  channelWrite(sight, Sight{4.0F, 0});
}

// Durations may have units.
HOCKET_LOOP(1, 70ms, 100ms) {
  channelWrite(sight, look());
  delay(200);
}

HOCKET_LOOP(2, 20ms, 100ms) {
  static int turning = 0;
  static bool was_turning = false;
  const Sight newest = channelRead(sight);
  turning = newest.metres <= kSafe ? kTurnRounds : max(turning - 1, 0);
  const bool turn = turning > 0;
  drive(turn ? 0 : 1, turn ? -1 : 1);
  if (turn != was_turning) {
    Serial.println(String(turn ? "wall at " : "clear for ") + newest.metres + " m, seen " +
                   (millis() - newest.taken_ms) + " ms ago");
    was_turning = turn;
  }
  delay(100);
}
