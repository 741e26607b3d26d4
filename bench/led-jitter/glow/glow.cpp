// The glowing leds of the EPOS paper's Figure 6, on the Uno: a thread that does nothing but switch
// eight leds by their intensities, and an alarm that changes the intensities every 20 ms.
//
// Each turn of the thread's loop takes the same number of cycles, whatever the intensities are. So
// what differs from turn to turn is not the program's. The leds are at port D, as the paper's are
// at one port. The alarm turns a pin of port C over, so that the turns with an alarm in them can be
// told.

// The thread has the processor for as long as nothing else wants it: a budget that lasts for the
// measurement, and idle time.
#define HOCKET_THREAD_BUDGET 20s, 60s, background()
#include <epos.h>

const unsigned char NUM_LEDS = 8;
volatile unsigned char led_intensity[NUM_LEDS];  // 0 to 127: in how many of 128 turns it shines

// Each led glows on and off, one after the other.
void change_led_intensity(void) {
  PORTC ^= 1 << PC0;
  static unsigned char step = 0;
  ++step;
  for (unsigned char i = 0; i < NUM_LEDS; i++) {
    const unsigned char at = 4 * step + 32 * i;
    led_intensity[i] = at < 128 ? at : 255 - at;
  }
}

int print_leds(void) {
  DDRD = 0xff;
  unsigned char phase = 0;
  while (1) {
    unsigned char leds = 0;
#pragma clang loop unroll(disable)
    for (unsigned char i = 0; i < NUM_LEDS; i++) {
      // The sign of a difference of numbers below 128, without a branch.
      leds = leds >> 1 | (static_cast<unsigned char>(phase - led_intensity[i]) & 0x80);
    }
    PORTD = ~leds;
    phase = (phase + 1) & 0x7f;
  }
}

int main() {
  DDRC = 1 << PC0;
  Handler_Function handler(&change_led_intensity);
  Alarm alarm_a(20000, &handler, Alarm::INFINITE);
  Thread* a = new Thread(&print_leds);
  int status_a = a->join();
  return status_a;
}
