// Interrupts of the simulated machine (see machine.h): which core is interrupted, when, and by
// which line. This file is hardware: it is compiled without the block clock.
#include <algorithm>

#include "ports/host/machine.h"
#include "ports/host/port.h"

namespace hocket::host {

void Machine::take_interrupts() {
  for (;;) {
    Core& core = cores_[current_];
    if (core.masked || next_interrupt(core) > hocket_block_now) return;
    mask();
    set_in_irq(true);
    const Nanos began = hocket_block_now;
    hocket_block_now += options_.model.interrupt_entry;
    not_blocks_ += options_.model.interrupt_entry;
    set_horizon();
    core.interrupted = began;
    if (core.reschedule_at <= hocket_block_now) {
      core.reschedule_at = kNever;
      hocket_reschedule_interrupt();
    } else if (core.alarm <= hocket_block_now) {
      core.alarm = kNever;
      hocket_timer_interrupt();
    } else {
      core.for_device = true;
      run_line();
    }
    hocket_interrupt_exit();
    set_in_irq(false);
    unmask();
  }
}

void Machine::set_in_irq(bool in_irq) {
  Core& core = cores_[current_];
  if (core.in_irq) core.interrupts += hocket_block_now - core.irq_since;
  core.in_irq = in_irq;
  core.irq_since = hocket_block_now;
}

Nanos Machine::time_in_interrupts(unsigned index) const {
  const Core& core = cores_[index];
  const Nanos now = running_ && index == current_ ? hocket_block_now : core.now;
  return core.interrupts + (core.in_irq && now > core.irq_since ? now - core.irq_since : 0);
}

void Machine::mask() {
  Core& core = cores_[current_];
  if (!core.masked) core.masked_since = hocket_block_now;
  core.masked = true;
}

void Machine::unmask() {
  Core& core = cores_[current_];
  if (core.masked) count_kernel_costs();
  if (core.masked && core.masked_since != kNever) {
    longest_masked_ = std::max(longest_masked_, hocket_block_now - core.masked_since);
  }
  core.masked = false;
  if (at_unmask_ != nullptr) {
    void (*const function)() = at_unmask_;
    at_unmask_ = nullptr;
    function();
  }
}

Nanos Machine::read_clock() {
  Core& core = cores_[current_];
  if (core.masked) {
    if (core.interrupted != kNever && core.clock_read == kNever) {
      Nanos& longest = kernel_costs_.interrupt_entry;
      longest = std::max(longest, hocket_block_now - core.interrupted);
    }
    core.clock_read = hocket_block_now;
  }
  return hocket_block_now;
}

/// The kernel has ended its work.
void Machine::count_kernel_costs() {
  Core& core = cores_[current_];
  if (core.switch_began != kNever) {
    Nanos& longest = kernel_costs_.context_switch;
    longest = std::max(longest, hocket_block_now - core.switch_began);
  } else if (core.interrupted != kNever && !core.for_device) {
    Nanos& longest = kernel_costs_.timer_interrupt;
    longest = std::max(longest, hocket_block_now - core.interrupted);
  }
  core.interrupted = core.clock_read = core.switch_began = kNever;
  core.for_device = false;
}

void Machine::set_masked(bool masked) {
  if (masked) {
    mask();
  } else {
    unmask();
    take_interrupts();
  }
  set_horizon();
}

void Machine::set_alarm(Nanos at) {
  cores_[current_].alarm = at;
  set_horizon();
}

void Machine::send_reschedule(unsigned index) {
  Core& target = cores_[index];
  target.reschedule_at =
      std::min(target.reschedule_at, hocket_block_now + options_.model.ipi_latency);
  if (index != current_) {
    others_ = others_behind(current_);
    shorten_slice(others_ + options_.model.ipi_latency);
  }
  set_horizon();
}

// --- Interrupt lines ---

void Machine::run_line() {
  const Lines::Line line = lines_.take(current_, hocket_block_now);
  lines_changed();
  if (line.handler != nullptr) line.handler(line.argument);  // (null: it has just become quiet)
}

/// An access to the controller. If the line belongs to another core, that core must have reached
/// this instant.
void Machine::access_line(unsigned line) {
  if (lines_[line].core != current_) {
    access_device();
  } else {
    hocket_block_now += options_.model.device_access;
    not_blocks_ += options_.model.device_access;
  }
}

/// The running core must not pass what another core has been given.
void Machine::lines_changed() {
  for (unsigned i = 0; i < core_count(); ++i) cores_[i].line_at = lines_.due(i);
  if (running_) {
    others_ = others_behind(current_);
    if (others_ != kNever) shorten_slice(others_ + options_.model.ipi_latency);
    set_horizon();
  }
}

bool Machine::attach_line(unsigned line, void (*handler)(void*), void* argument, bool edge,
                          unsigned core) {
  if (line >= Lines::kCount || core >= core_count()) return false;
  access_device();
  lines_.attach(line, {.handler = handler,
                       .argument = argument,
                       .core = core,
                       .edge = edge,
                       .since = hocket_block_now});
  if (source_ != nullptr) source_->advance(hocket_block_now);  // changes of the past do not count
  acknowledge_line(line);
  return true;
}

bool Machine::route_line(unsigned line, unsigned core) {
  if (line >= Lines::kCount || core >= core_count()) return false;
  access_device();
  lines_[line].core = core;
  if (core != current_) {  // like a reschedule interrupt: the other core may be ahead
    Nanos& since = lines_[line].since;
    since = std::max(since, hocket_block_now + options_.model.ipi_latency);
  }
  lines_changed();
  return true;
}

void Machine::mask_line(unsigned line, bool masked) {
  access_line(line);
  lines_[line].masked = masked;
  lines_changed();
}

void Machine::acknowledge_line(unsigned line) {
  access_line(line);
  lines_[line].latched = false;
  lines_changed();
}

bool Machine::line_pending(unsigned line) {
  access_line(line);
  return lines_[line].pending();
}

void Machine::set_line(unsigned line, bool high, Nanos at) {
  if (line >= Lines::kCount) return;
  if (running_ && lines_[line].core != current_) {
    at = std::max(at, hocket_block_now + options_.model.ipi_latency);
  }
  lines_.set(line, high, at);
  lines_changed();
}

void Machine::wait_for_interrupt() {
  Core& core = cores_[current_];
  core.waiting = true;
  while (next_interrupt(core) > hocket_block_now || stopping_) leave_slice();
  core.waiting = false;
  core.masked_since = kNever;
  set_masked(false);
}

}  // namespace hocket::host
