// refused: attachInterruptVcpu.. is not in this release of Hocket yet
#include <Hocket.h>
void handler() {}
void setup() {
  attachInterruptVcpu(2, handler, RISING, 1, 10);
}
