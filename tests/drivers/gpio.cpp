// The Raspberry Pi's GPIO as far as QEMU has it: functions and outputs.
#include BARE_BOARD

void bare::run() {
  for (const unsigned pin : (const unsigned[]){2, 17, 31, 32, 53}) {
    Gpio::set_function(pin, Gpio::Function::Output);
  }
  Gpio::write(17, true);
  Gpio::write(53, true);
  expect(Gpio::read(17) && Gpio::read(53), "high where written");
  expect(!Gpio::read(2) && !Gpio::read(31) && !Gpio::read(32), "low elsewhere");
  Gpio::write(17, false);
  expect(!Gpio::read(17) && Gpio::read(53), "low again, the other stays");
  Gpio::set_function(53, Gpio::Function::Alternate0);
  Gpio::set_function(53, Gpio::Function::Output);
  Gpio::write(53, false);
  expect(!Gpio::read(53), "an output again");
  expect(!Gpio::write(54, true) && !Gpio::set_function(54, Gpio::Function::Input), "no pin 54");
}
