// Queue of messages of one size: send() blocks while it is full, receive() while it is empty.
//
// Messages come out in the order in which they went in, and each goes to one receiver; threads that
// wait are served in order of arrival. A thread that waits says where its message is or should go
// (Thread::exchange), and whoever serves it copies the message itself: a woken thread never finds
// that another one was faster.
//
//   senders_ ──▶ [ full: kCapacity messages ] ──▶ receivers_      at most one of the two lists has
//                                                                 threads in it
//
// send() and receive() are for threads only (checked), the others also for interrupt handlers. Any
// core. All are O(size of a message), with interrupts masked: send pointers to what is large.
#pragma once

#include "kernel/task/kernel.h"

namespace hocket {

template <class K, class Port, class Message, unsigned kCapacity>
class MessageQueue {
  static_assert(__is_trivially_copyable(Message), "messages are copied as they are");
  static_assert(kCapacity >= 1 && kCapacity <= 0x7fff'ffff);

 public:
  constexpr MessageQueue() = default;

  void send(const Message& message) {
    HOCKET_CHECK(!Port::in_irq());  // it would be whoever was interrupted that waits
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    if (!put(message)) {
      K::self().exchange = const_cast<Message*>(&message);
      K::wait([this](Thread& thread) {
        senders_.push_back(thread);
        Port::unlock(lock_);
      });
    }
    Port::irq_restore(state);
  }

  /// False, and nothing is sent, when the queue is full.
  [[nodiscard]] bool try_send(const Message& message) {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    const bool sent = put(message);
    if (!sent) Port::unlock(lock_);
    Port::irq_restore(state);
    return sent;
  }

  void receive(Message& message) {
    HOCKET_CHECK(!Port::in_irq());  // it would be whoever was interrupted that waits
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    if (!take(message)) {
      K::self().exchange = &message;
      K::wait([this](Thread& thread) {
        receivers_.push_back(thread);
        Port::unlock(lock_);
      });
    }
    Port::irq_restore(state);
  }

  /// False, and `message` is as it was, when the queue is empty.
  [[nodiscard]] bool try_receive(Message& message) {
    const typename Port::IrqState state = Port::irq_save();
    Port::lock(lock_);
    const bool received = take(message);
    if (!received) Port::unlock(lock_);
    Port::irq_restore(state);
    return received;
  }

 private:
  using Thread = typename K::Thread;

  static Message& exchange_of(Thread& thread) { return *static_cast<Message*>(thread.exchange); }

  /// Gives the message to a receiver or the queue, and the lock back; false, with the lock held,
  /// when there is no room.
  bool put(const Message& message) {
    if (!receivers_.empty()) {
      Thread& receiver = receivers_.pop_front();
      exchange_of(receiver) = message;
      Port::unlock(lock_);
      K::wake(receiver);
      return true;
    }
    if (count_ == kCapacity) return false;
    store(message);
    Port::unlock(lock_);
    return true;
  }

  /// The oldest message, and the lock back; the first sender's message takes its place. False, with
  /// the lock held, when there is none.
  bool take(Message& message) {
    if (count_ == 0) return false;
    message = messages_[first_];
    first_ = first_ + 1 == kCapacity ? 0 : first_ + 1;
    --count_;
    if (senders_.empty()) {
      Port::unlock(lock_);
      return true;
    }
    Thread& sender = senders_.pop_front();
    store(exchange_of(sender));
    Port::unlock(lock_);
    K::wake(sender);
    return true;
  }

  void store(const Message& message) {
    const unsigned behind = first_ + count_;
    messages_[behind >= kCapacity ? behind - kCapacity : behind] = message;
    ++count_;
  }

  [[no_unique_address]] typename Port::Lock lock_{};
  unsigned first_ = 0;
  unsigned count_ = 0;
  List<Thread> senders_;
  List<Thread> receivers_;
  Message messages_[kCapacity] = {};
};

}  // namespace hocket
