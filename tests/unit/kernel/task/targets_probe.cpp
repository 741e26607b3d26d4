// What a kernel without a library uses of channel, ring buffer and lock (see test_targets.py).
// HOCKET_CORES: of the processor's port.

#include "kernel/task/four_slot.h"
#include "kernel/task/ring_buffer.h"
#include "kernel/task/ticket_lock.h"

struct Relax {
  void operator()() const { hocket::compiler_fence(); }
};

constinit hocket::FourSlot<int16_t> channel;
constinit hocket::RingBuffer<uint8_t, 16> bytes;
constinit hocket::RingBuffer<uint16_t, 128> samples;
constinit hocket::TicketLock<Relax, HOCKET_CORES> lock;
constinit hocket::Atomic<uint8_t> flag;

extern "C" {
void channel_write(int16_t item) {
  channel.write(item);
}
int16_t channel_read() {
  return channel.read();
}
bool ring_write(uint8_t item) {
  return bytes.write(item);
}
bool ring_read(uint8_t* item) {
  return bytes.read(*item);
}
size_t ring_size() {
  return bytes.size();
}
bool samples_write(uint16_t item) {
  return samples.limit(100) && samples.write(item);
}
bool samples_read(uint16_t* item) {
  return samples.read(*item);
}
void lock_take() {
  lock.lock();
}
bool lock_try() {
  return lock.lock_as_next();
}
void lock_free() {
  lock.unlock();
}
void flag_set() {
  flag.store(1, hocket::order::release);
}
uint8_t flag_get() {
  return flag.load(hocket::order::acquire);
}
}
