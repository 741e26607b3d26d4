// Server: what network libraries implement to accept connections.
#pragma once

#include "Print.h"

class Server : public Print {
 public:
  virtual void begin() = 0;
};

namespace arduino {
using ::Server;
}  // namespace arduino
