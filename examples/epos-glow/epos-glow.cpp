// Figure 6 of "Temporal Event Management in EPOS": eight LEDs that glow.
//
// A thread switches the LEDs on and off, each for as many of 16 steps as it is bright; an alarm
// changes how bright each is, every 20 ms. The LEDs light when their pins are low.

// The thread has the processor for as long as nothing else wants it: idle time, and a third of a
// long period, so that the end of its budget hardly ever comes between two turns.
#define HOCKET_THREAD_BUDGET 20s, 60s, background()
#include <epos.h>

const unsigned char NUM_LEDS = 8;
const unsigned char STEPS = 16;

// Up from 0 to STEPS and down again, each LED a little after the one before it.
volatile unsigned char led_intensity[NUM_LEDS];

int print_leds(void) {
  unsigned char step = 0;
  while (1) {
    unsigned char leds = 0;
    for (unsigned char i = 0; i < NUM_LEDS; i++) {
      leds |= (step < led_intensity[i]) << i;
    }
    CPU::out8(Machine::IO::PORTA, ~leds);
    step = (step + 1) % STEPS;
  }
}

void change_led_intensity(void) {
  static unsigned char phase = 0;
  phase = (phase + 1) % (2 * STEPS);
  for (unsigned char i = 0; i < NUM_LEDS; i++) {
    const unsigned char at = (phase + 2 * i) % (2 * STEPS);
    led_intensity[i] = at < STEPS ? at : 2 * STEPS - at;
  }
}

int main() {
  Handler_Function handler(&change_led_intensity);
  Alarm alarm_a(20000, &handler, Alarm::INFINITE);
  Thread* a = new Thread(&print_leds);
  int status_a = a->join();
  return status_a;
}
