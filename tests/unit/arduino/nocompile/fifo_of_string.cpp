// refused: a record must be trivially copyable
#include <Hocket.h>
void setup() {
  fifoPut(0, String("x"));
}
