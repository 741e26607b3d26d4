#include "simulation/avr/faults.h"

#include "arduino/cores/avr8/kernel_costs.h"
#include "simulation/avr/data_access.h"

namespace hocket::avr {
namespace {

std::string overflow(const Watcher& watcher) {
  const std::string size = std::to_string(watcher.stack_size());
  const InterruptWatch& interrupts = watcher.interrupts();
  std::string handler;
  if (interrupts.runs_sketch()) {
    handler = std::string(" in the handler of ") + interrupts.name(interrupts.running()) +
              ", which runs on the stack of whoever it interrupts";
  }
  if (watcher.culprit() > 0) {
    return "its stack of " + size + " bytes has overflowed" + handler +
           "; give it more with stackBytes()";
  }
  return "the stack has overflowed" + handler + ": there are " + size + " bytes for it";
}

program::Fault& access(program::Fault& fault, const Mcu::Wrong& wrong) {
  fault.kind = "bad access";
  fault.address = wrong.address;
  fault.text = wrong.kind == Mcu::Wrong::Kind::Read ? "it read " : "it wrote ";
  fault.text += wrong.address < kRegisters
                    ? "through a null pointer: the processor's registers are there"
                    : "where no memory is";
  return fault;
}

program::Fault& processor(program::Fault& fault, const Mcu& mcu) {
  if (mcu.asleep_for_good()) {
    fault.kind = "asleep";
    fault.text = "it sleeps with interrupts masked: nothing will wake it";
  } else if (mcu.wrong() && mcu.wrong()->kind != Mcu::Wrong::Kind::Instruction) {
    return access(fault, *mcu.wrong());
  } else {
    fault.kind = "bad instruction";
    fault.text = "the processor ran into what is no instruction";
  }
  return fault;
}

}  // namespace

program::Fault fault_of(const Watcher& watcher, const Mcu& mcu) {
  program::Fault fault{
      .loop = watcher.culprit(), .kind = {}, .address = {}, .code = watcher.code(), .text = {}};
  Watcher::Wrong wrong = watcher.wrong();
  if (wrong == Watcher::Wrong::Nothing && watcher.waited() != 0) wrong = Watcher::Wrong::Waited;
  switch (wrong) {
    case Watcher::Wrong::Nothing:
      return processor(fault, mcu);
    case Watcher::Wrong::Overflow:
      fault.kind = "stack overflow";
      fault.address = mcu.stack_pointer();
      fault.text = overflow(watcher);
      break;
    case Watcher::Wrong::NoProgram:
      fault.kind = "bad instruction";
      fault.text = "it jumped to where no program is";
      break;
    case Watcher::Wrong::Restart:
      fault.kind = "restart";
      fault.text = "it jumped to address 0, so that the sketch starts again";
      break;
    case Watcher::Wrong::Watchdog:
      fault.loop = -1;  // the running loop may not be the cause
      fault.kind = "restart";
      fault.code = std::nullopt;
      fault.text =
          "the watchdog has reset the processor, so that the sketch starts again: wdt_reset() was "
          "not called in time";
      break;
    case Watcher::Wrong::Unhandled:
      fault.kind = "restart";
      fault.code = std::nullopt;
      fault.text = std::string("the interrupt ") +
                   watcher.interrupts().name(watcher.interrupts().running()) +
                   " came, which has no handler, so that the sketch starts again";
      break;
    case Watcher::Wrong::Ended:
      fault.kind = "ended";
      fault.text =
          "it has stopped the processor for good, as exit() and abort() do, or an endless loop "
          "with interrupts masked";
      break;
    case Watcher::Wrong::Waited:
      fault.loop = -1;  // the interrupted loop is not the cause
      fault.kind = "stopped";
      fault.code = std::nullopt;
      fault.text =
          std::string("the handler of ") +
          (watcher.waited() == mcu.chip().alarm ? "an alarm"
                                                : watcher.interrupts().name(watcher.waited())) +
          " waited, by delay(), Semaphore::p() or the like, so that whom it had "
          "interrupted waited for it: set a flag there and wait in a loop, or use "
          "delayMicroseconds()";
      break;
    case Watcher::Wrong::HeldLong:
      fault.kind = "stopped";
      fault.text = "a spinlock was held for longer than the " +
                   std::to_string(uno::kLongestSpin / (uno::kTickHz / 1'000'000)) +
                   " us that the guarantees reckon with";
      break;
    case Watcher::Wrong::NoMemory:
      fault.kind = "stopped";
      fault.text = "`new` found no memory";
      break;
    case Watcher::Wrong::PureVirtual:
      fault.kind = "stopped";
      fault.text = "a virtual function was called that the object's class does not define";
      break;
    case Watcher::Wrong::NeedsItself:
      fault.kind = "stopped";
      fault.text = "a static variable's first value needs the variable itself";
      break;
    case Watcher::Wrong::ClockChanged:
      fault.kind = "stopped";
      fault.text = "it changed timer " + std::to_string(mcu.chip().clock_timer) +
                   ", which is the clock of the loops: none would get its time";
      break;
    case Watcher::Wrong::GaveUp:
      fault.kind = "stopped";
      fault.text =
          "a lock was taken by who has it, or given back by who has not, or before a later one";
      break;
  }
  return fault;
}

}  // namespace hocket::avr
