// The kernel cannot continue: prints the reason and stops everything.
#include "arduino/cores/protected/kernel/machine.h"
#include "arduino/surroundings/native/native.h"
#include "board.h"
#include "drivers/semihosting/semihosting.h"
#include "processor.h"

extern "C" bool hocket_semihosting_present();

extern "C" void hocket_halt(const char* reason) {
  if (hocket_semihosting_present()) {
    using hocket::drivers::Semihosting;
    Semihosting::print("hocket: ");
    Semihosting::print(reason);
    Semihosting::print("\n");
    Semihosting::exit(70);
  }
  hocket::native::last_words(reason);
  hocket::machine::power_off();
  hocket::Processor::halt_core();
}

void hocket::machine::Board::halt(const char* reason) {
  hocket_halt(reason);
}
