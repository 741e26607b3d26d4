// refused: call to deleted constructor of 'Spinlock'
#include <Hocket.h>
Spinlock first;
Spinlock second = first;
