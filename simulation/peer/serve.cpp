// Serves the kernel: see serve.h.
#include "simulation/peer/serve.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace hocket::world {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;
constexpr Clock::time_point kNoDeadline = Clock::time_point::max();

class Server {
 public:
  Server(Session& session, Channel& channel, Child& child, int interrupts,
         const std::function<int()>& conclusion, const Patience& patience)
      : session_(session),
        channel_(channel),
        child_(child),
        interrupts_(interrupts),
        conclusion_(conclusion),
        patience_(patience),
        deadline_(Clock::now() + Milliseconds(patience.hello)) {}

  void run() {
    while (!session_.over()) {
      wait();
      take_interrupts();
      child_.read_output();
      // Checked before the pipe is read, because the child's last request may still be in the pipe.
      const bool ended = !child_.wait(0).empty();
      std::vector<uint8_t> bytes;
      while (channel_.receive(bytes)) continue;
      reader_.add(bytes);
      answer_requests();
      if (std::ferror(stdout) != 0) ask_to_stop();  // the reader of Serial has closed it
      if (session_.over()) break;
      if (ended)
        throw Broken{program::kDefect,
                     "the emulator ended " + child_.wait(0) + " before the run was over"};
      if (Clock::now() >= deadline_) give_up();
    }
    leave();
  }

 private:
  void wait() {
    pollfd watched[] = {{channel_.request(), POLLIN, 0},
                        {child_.ended(), POLLIN, 0},
                        {child_.output(), POLLIN, 0},
                        {interrupts_, POLLIN, 0}};
    // A pipe whose other end is closed is always ready, so it is no longer polled.
    if (hung_up_[0]) watched[0].fd = -1;
    if (hung_up_[1]) watched[2].fd = -1;
    int timeout = -1;
    if (deadline_ != kNoDeadline) {
      const auto left = std::chrono::ceil<Milliseconds>(deadline_ - Clock::now()).count();
      timeout = static_cast<int>(std::max<int64_t>(left, 0));
    }
    poll(watched, std::size(watched), timeout);
    hung_up_[0] = hung_up_[0] || (watched[0].revents & (POLLHUP | POLLIN)) == POLLHUP;
    hung_up_[1] = hung_up_[1] || (watched[2].revents & (POLLHUP | POLLIN)) == POLLHUP;
  }

  void take_interrupts() {
    signalfd_siginfo signal{};
    while (read(interrupts_, &signal, sizeof signal) == sizeof signal) {
      if (stopping_) throw Broken{program::kInterrupted, "interrupted; the run left no facts"};
      ask_to_stop();
    }
  }

  void ask_to_stop() {
    if (stopping_) return;
    stopping_ = true;
    session_.ask_to_stop();
    deadline_ = Clock::now() + Milliseconds(patience_.stop);
  }

  void answer_requests() {
    Request request{};
    std::vector<uint8_t> payload;
    while (!session_.over() && reader_.next(request, payload)) {
      Answer answer = session_.handle(request, payload);
      if (session_.over()) answer.reply.value = conclusion_();
      std::vector<uint8_t> bytes(sizeof answer.reply);
      std::memcpy(bytes.data(), &answer.reply, sizeof answer.reply);
      bytes.insert(bytes.end(), answer.payload.begin(), answer.payload.end());
      // The kernel reads each reply before its next request, so the pipe has room for a reply.
      if (channel_.send(bytes.data(), bytes.size()) != bytes.size()) {
        throw ProtocolError{"does not read its replies"};
      }
      deadline_ = stopping_ ? Clock::now() + Milliseconds(patience_.stop) : kNoDeadline;
    }
    if (session_.over() && reader_.left() > 0) {
      throw ProtocolError{"sent something after it had said goodbye"};
    }
  }

  [[noreturn]] void give_up() {
    if (stopping_) {
      throw Broken{program::kInterrupted,
                   "interrupted, but the kernel did not answer: the run left no facts"};
    }
    throw Broken{program::kDefect, "the kernel did not say a word after its start"};
  }

  /// The kernel ends the emulator itself. If it does not, the result of the run does not change.
  void leave() {
    if (child_.wait(patience_.leave).empty()) child_.kill();
  }

  Session& session_;
  Channel& channel_;
  Child& child_;
  int interrupts_;
  const std::function<int()>& conclusion_;
  Patience patience_;
  RequestReader reader_;
  Clock::time_point deadline_;
  bool stopping_ = false;
  bool hung_up_[2] = {};
};

}  // namespace

Descriptor interrupts() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  return Descriptor(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

void serve(Session& session, Channel& channel, Child& child, int interrupts,
           const std::function<int()>& conclusion, const Patience& patience) {
  try {
    Server(session, channel, child, interrupts, conclusion, patience).run();
  } catch (const ProtocolError& error) {
    throw Broken{program::kDefect, "defect of the kernel: it " + error.text};
  }
}

}  // namespace hocket::world
