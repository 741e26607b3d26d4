// Figure 3 of "Temporal Event Management in EPOS": a clock, an alarm and a chronometer.
//
// A hundred times, every 100 ms, the alarm calls func(), which blinks the board's LED; main()
// sleeps until all of them have been and measures how long it slept.
#include <epos.h>

static int iterations = 100;
static Alarm::Microsecond time = 100000;

void func() {
  static bool on = false;
  on = !on;
  pinMode(LED_BUILTIN, OUTPUT);
  digitalWrite(LED_BUILTIN, on);
}

int main() {
  OStream cout;
  Clock clock;
  Chronometer chron;

  // Nobody has set the clock: it counts from the start of the board.
  cout << "Current Time: " << clock.now() << endl;

  // func() at each of the events.
  Handler_Function handler(&func);
  Alarm alarm(time, &handler, iterations);

  // One interval more than there are events.
  chron.start();
  Alarm::delay(time * (iterations + 1));
  chron.stop();
  cout << "Elapsed time: " << chron.read() << endl;

  return 0;
}
