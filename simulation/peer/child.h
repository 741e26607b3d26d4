// The emulator as a child process: started, monitored, and never left behind.
//
// Invariants: the child dies with this process (PR_SET_PDEATHSIG), and with this object at the
// latest. It has its own process group, so that an interrupt from the terminal reaches it only
// through this process.
#pragma once

#include <string>
#include <vector>

#include "simulation/peer/channel.h"

namespace hocket::world {

class Child {
 public:
  /// Starts the command; its output is kept for last_words(). Throws UsageError if there is no such
  /// program; `missing` is the advice.
  Child(const std::vector<std::string>& command, const std::string& missing);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// A descriptor that is readable once the child has ended.
  int ended() const { return ended_.get(); }
  /// The child's output; read_output() reads it.
  int output() const { return output_.get(); }
  void read_output();
  /// The last lines of the child's output.
  std::vector<std::string> last_words() const;

  /// Waits for the child's end, for `milliseconds` at most. Returns how it ended, as a phrase;
  /// empty: it still runs.
  std::string wait(int milliseconds);
  void kill();

 private:
  int process_ = -1;
  Descriptor ended_, output_;
  std::string text_;
  std::string how_;  // how the child ended
};

}  // namespace hocket::world
