// refused: attachInterruptParam.. is not in this release of Hocket yet
#include <Hocket.h>
void handler(void*) {}
void setup() {
  attachInterruptParam(2, handler, CHANGE, nullptr);
}
