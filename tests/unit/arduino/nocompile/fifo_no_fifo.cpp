// refused: there is no such FIFO: they are 0 to 7
#include <Hocket.h>
void setup() {
  fifoLost(8);
}
