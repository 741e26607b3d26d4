// refused: interruptsVcpu.. is not in this release of Hocket yet
#include <Hocket.h>
void setup() {
  interruptsVcpu(1, 10);
}
