// The emulator as our child: started, watched, and never left behind.
//
// Invariants: the child dies when we do (PR_SET_PDEATHSIG), and with this object at the latest. It
// is in a process group of its own, so that an interrupt from the terminal reaches it through us
// alone.
#pragma once

#include <string>
#include <vector>

#include "simulation/peer/channel.h"

namespace hocket::world {

class Child {
 public:
  /// Starts the command; its output is kept for last_words(). Throws UsageError when there is no
  /// such program: `missing` says what to do then.
  Child(const std::vector<std::string>& command, const std::string& missing);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Readable once the child has ended.
  int ended() const { return ended_.get(); }
  /// What the child writes; read_output() takes it.
  int output() const { return output_.get(); }
  void read_output();
  /// The last lines that the child wrote.
  std::vector<std::string> last_words() const;

  /// Waits for the end at most so long; what the child ended with, as a phrase; empty: it runs on.
  std::string wait(int milliseconds);
  void kill();

 private:
  int process_ = -1;
  Descriptor ended_, output_;
  std::string text_;
  std::string how_;  // it ended
};

}  // namespace hocket::world
