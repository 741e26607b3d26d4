// <stdio.h> for C++: the C library's, without its macros with the names of functions. In C++ these
// must be functions, which the library declares as well, and libraries give their own the names.
#pragma once

#include_next <stdio.h>

#ifdef __cplusplus
#undef clearerr
#undef feof
#undef ferror
#undef getc
#undef getchar
#undef putc
#undef putchar
#endif
