// refused: an item of a channel must be trivially copyable
#include <Hocket.h>
Channel<String> names;
