// Instantiates functions of the kernel for all its files (made_once.h).
#include "simulation/machine/made_once.h"

namespace hocket {

HOCKET_MADE_ONCE(template)

}  // namespace hocket
