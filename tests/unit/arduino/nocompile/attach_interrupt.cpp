// refused: attachInterrupt.. is not in this release of Hocket yet
#include <Hocket.h>
void handler() {}
void setup() {
  attachInterrupt(digitalPinToInterrupt(2), handler, RISING);
}
