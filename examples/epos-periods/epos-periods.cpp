// Figure 4 of "Temporal Event Management in EPOS": how regular is a periodic alarm?
//
// Eleven events; each notes when it was handled, main() prints the ten intervals in microseconds.
// main() waits busily, as in the figure: it uses its budget up in each period, and the handler
// comes on time all the same.
#include <epos.h>

#ifndef PERIOD
#define PERIOD 10000
#endif

static OStream cout;
static Chronometer chron;
static Microsecond time_stamps[11];
volatile static int n = 0;

void handler(void) {
  time_stamps[n++] = chron.read();
}

int main() {
  // The events. Function and object have one name in the figure; in the object's own initialiser
  // that name is the object's, so the function is asked for by its full one.
  Handler_Function handler(&::handler);
  Alarm alarm(PERIOD, &handler, 11);

  // Until all of them have been handled.
  while (n < 11) {
  }

  for (unsigned int i = 0; i < 10; i++) cout << time_stamps[i + 1] - time_stamps[i] << endl;
}
