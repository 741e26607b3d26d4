// Each loop has thread-local variables and an errno of its own; <chrono> has the board's clock.
#include <errno.h>

#include <chrono>
#include <string>

struct Counter {
  int value = 40;
  Counter() { value += 2; }
};
thread_local Counter counter;
thread_local int plain = 7;
thread_local char zero[100];
thread_local std::string name = "n";

void say(const char *who) {
  printf("%s %d %d %d %s %d\n", who, counter.value, plain, zero[99], name.c_str(), errno);
}

void setup() {
  Serial.begin(115200);
  counter.value = plain = zero[99] = errno = 1;
  name += "setup";
  say("setup");
  const auto before = std::chrono::steady_clock::now();
  delay(3);
  const auto passed = std::chrono::steady_clock::now() - before;
  printf("%d\n", passed >= std::chrono::milliseconds(3) && passed < std::chrono::milliseconds(4));
}

void loop(1, 1, 10) {
  say("one");
  counter.value = plain = zero[99] = errno = 11;
  name += "1";
  delay(1000);
}

void loop(2, 1, 20) {
  delay(500);
  say("two");
  counter.value = plain = zero[99] = errno = 22;
  name += "2";
  delay(500);
}
