// refused: detachInterrupt.. is not in this release of Hocket yet
#include <Hocket.h>
void setup() {
  detachInterrupt(0);
}
