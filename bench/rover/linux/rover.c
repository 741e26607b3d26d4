// E8 on Linux: rover LOOPS MS
//
// The rover of examples/rover with its two loops as threads (LOOPS two), or that of
// examples/rover-single in one thread (LOOPS one), for so long. Pins are mapped registers, threads
// of the usual class. The line ACTED has a pulse each time that the motors have been set.
#include <pins.h>

enum { TRIGGER = 0, LEFT_FORWARD = 1, LEFT_BACKWARD = 2, RIGHT_FORWARD = 4, ECHO = 5 };
enum { RIGHT_BACKWARD = 6, ACTED = 7 };
enum { SAFE_CM = 100, TURN_ROUNDS = 8, NOTHING_AHEAD = 400 };

/// As Arduino's: how long the pin is high, in us; 0: it did not become high and low again in time.
static uint32_t pulse_in(uint8_t line, uint32_t timeout_us) {
  const uint64_t end = now_ns() + 1000ull * timeout_us;
  while (!read_pin(line)) {
    if (now_ns() >= end) return 0;
  }
  const uint64_t rise = now_ns();
  while (read_pin(line)) {
    if (now_ns() >= end) return 0;
  }
  return (uint32_t)((now_ns() - rise) / 1000);
}

static void wait_us(uint32_t us) {
  const uint64_t end = now_ns() + 1000ull * us;
  while (now_ns() < end) {
  }
}

static int measure_cm(void) {
  write_pin(TRIGGER, true);
  wait_us(10);
  write_pin(TRIGGER, false);
  const uint32_t echo = pulse_in(ECHO, 30000);
  return echo == 0 ? NOTHING_AHEAD : (int)(echo / 2 / 29.1);
}

static void drive(int left, int right) {
  write_pin(LEFT_FORWARD, left > 0);
  write_pin(LEFT_BACKWARD, left < 0);
  write_pin(RIGHT_FORWARD, right > 0);
  write_pin(RIGHT_BACKWARD, right < 0);
  write_pin(ACTED, true);
  write_pin(ACTED, false);
}

static void tell(bool is_turning, bool* was_turning) {
  if (is_turning != *was_turning) {
    puts(is_turning ? "wall: back and turn right" : "clear: ahead");
    *was_turning = is_turning;
  }
}

static void act(int cm) {
  static int turning = 0;  // rounds still to turn
  static bool was_turning = false;
  if (cm <= SAFE_CM) {
    turning = TURN_ROUNDS;
  }
  if (turning > 0) {
    drive(0, -1);
    turning--;
  } else {
    drive(1, 1);
  }
  tell(turning > 0, &was_turning);
}

static _Atomic int distance = NOTHING_AHEAD;

static void* sense_all_the_time(void* unused) {
  (void)unused;
  for (;;) {
    distance = measure_cm();
    sleep_ms(200);
  }
}

static void* act_all_the_time(void* unused) {
  (void)unused;
  for (;;) {
    act(distance);
    sleep_ms(100);
  }
}

static void* sense_and_act(void* unused) {
  (void)unused;
  for (;;) {
    const int cm = measure_cm();
    sleep_ms(200);
    act(cm);
    sleep_ms(100);
  }
}

int main(int count, char** words) {
  (void)count;
  const uint32_t ms = number_of(words, 2);
  lock_memory();
  open_pins(1u << TRIGGER | 1u << LEFT_FORWARD | 1u << LEFT_BACKWARD | 1u << RIGHT_FORWARD |
            1u << RIGHT_BACKWARD | 1u << ACTED);
  if (strcmp(words[1], "two") == 0) {
    start_thread(sense_all_the_time, NULL);
    start_thread(act_all_the_time, NULL);
  } else {
    start_thread(sense_and_act, NULL);
  }
  sleep_ms(ms);
  return 0;
}
