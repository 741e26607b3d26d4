// Messages between threads, and blocks of memory.
#include "kernel/base/construct.h"
#include "kernel/task/block_pool.h"
#include "kernel/task/message_queue.h"
#include "kernel_bench.h"

namespace hocket::contract {
namespace {

// --- Messages ---

struct Message {
  uint32_t number;
  uint32_t complement;
};
using Queue = MessageQueue<K, Port, Message, 3>;
Queue* queue;
alignas(Queue) unsigned char queue_memory[sizeof(Queue)];
unsigned wrong_messages;

Message message_of(uint32_t number) {
  return {number, ~number};
}
void expect_message(uint32_t number) {
  Message message{};
  queue->receive(message);
  if (message.number != number || message.complement != ~number) ++wrong_messages;
}

void messages_keep_their_order() {
  queue = construct<Queue>(&queue_memory);
  wrong_messages = 0;
  for (uint32_t round = 0; round < 5; ++round) {
    for (uint32_t i = 0; i < 3; ++i) HOCKET_EXPECT(queue->try_send(message_of(round + i)));
    HOCKET_EXPECT(!queue->try_send(message_of(99)));
    for (uint32_t i = 0; i < 3; ++i) expect_message(round + i);
    Message unchanged = message_of(7);
    HOCKET_EXPECT(!queue->try_receive(unchanged));
    HOCKET_EXPECT(unchanged.number == 7);
  }
  HOCKET_EXPECT(wrong_messages == 0);
}

constexpr uint32_t kMessages = 20;

void send_many(void*) {
  for (uint32_t i = 0; i < kMessages; ++i) {
    queue->send(message_of(i));
    tokens.add('s');
  }
  finished.signal();
}

/// The sender has the higher priority: it is always ahead by as much as fits, and the one it waits
/// with.
void full_queues_hold_senders_back() {
  queue = construct<Queue>(&queue_memory);
  wrong_messages = 0;
  const Instant at = K::now() + us(200);
  K::start(bench.thread(bench.vcpu(8'000, 10'000), &send_many), at);
  K::sleep_until(at + us(300));
  expect_order("sss");
  for (uint32_t i = 0; i < kMessages; ++i) {
    if (i == 1) expect_order("ssss");
    expect_message(i);
  }
  finished.wait();
  HOCKET_EXPECT(wrong_messages == 0);
}

void receive_and_note(void* argument) {
  Message message{};
  queue->receive(message);
  tokens.add(letter(argument));
  tokens.add(static_cast<char>('0' + message.number));
  finished.signal();
}

void receivers_are_served_by_arrival() {
  queue = construct<Queue>(&queue_memory);
  const Instant at = K::now() + us(200);
  K::Vcpu& high = bench.vcpu(1'000, 10'000);
  K::Vcpu& low = bench.vcpu(1'000, 20'000);
  K::start(bench.thread(low, &receive_and_note, letter('l')), at);
  K::start(bench.thread(high, &receive_and_note, letter('h')), at + us(100));
  K::sleep_until(at + us(300));
  for (uint32_t i = 1; i <= 2; ++i) {
    queue->send(message_of(i));
    finished.wait();
  }
  expect_order("l1h2");
}

void cores_exchange_messages() {
  if (Port::core_count() < 2) return;
  queue = construct<Queue>(&queue_memory);
  wrong_messages = 0;
  K::start(bench.thread(bench.vcpu(9'000, 10'000, 1), &send_many), K::now());
  for (uint32_t i = 0; i < kMessages; ++i) expect_message(i);
  finished.wait();
  HOCKET_EXPECT(wrong_messages == 0);
}

// --- Blocks of memory ---

void blocks_are_given_once() {
  static constinit BlockPool<Port, 24, 4> pool;
  void* blocks[4];
  for (void*& block : blocks) {
    block = pool.take();
    HOCKET_EXPECT(block != nullptr && pool.owns(block));
    __builtin_memset(block, 0x5a, 24);
  }
  HOCKET_EXPECT(pool.take() == nullptr);
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned j = 0; j < i; ++j) {
      const auto a = reinterpret_cast<uintptr_t>(blocks[i]);
      const auto b = reinterpret_cast<uintptr_t>(blocks[j]);
      HOCKET_EXPECT(a >= b + 24 || b >= a + 24);
    }
  }
  pool.give_back(blocks[2]);
  pool.give_back(blocks[0]);
  HOCKET_EXPECT(pool.take() == blocks[0]);
  HOCKET_EXPECT(pool.take() == blocks[2]);
  HOCKET_EXPECT(pool.take() == nullptr);
  HOCKET_EXPECT(!pool.owns(static_cast<char*>(blocks[1]) + 8) && !pool.owns(&pool + 1));
  for (void* block : blocks) pool.give_back(block);
}

}  // namespace

void test_queues() {
  HOCKET_WITH_BENCH(messages_keep_their_order);
  HOCKET_WITH_BENCH(full_queues_hold_senders_back);
  HOCKET_WITH_BENCH(receivers_are_served_by_arrival);
  HOCKET_WITH_BENCH(blocks_are_given_once);
  HOCKET_WITH_BENCH(cores_exchange_messages);
}

}  // namespace hocket::contract
