// <cstdio>, without std::remove(), rename(), tmpfile() and tmpnam() of files: see c_library.h,
// which includes it.
#pragma once

#define _GLIBCXX_CSTDIO 1  // disables libstdc++'s own <cstdio>

namespace std {
using ::clearerr;
using ::fclose;
using ::feof;
using ::ferror;
using ::fflush;
using ::fgetc;
using ::fgetpos;
using ::fgets;
using ::FILE;
using ::fopen;
using ::fpos_t;
using ::fprintf;
using ::fputc;
using ::fputs;
using ::fread;
using ::freopen;
using ::fscanf;
using ::fseek;
using ::fsetpos;
using ::ftell;
using ::fwrite;
using ::getc;
using ::getchar;
using ::perror;
using ::printf;
using ::putc;
using ::putchar;
using ::puts;
using ::rewind;
using ::scanf;
using ::setbuf;
using ::setvbuf;
using ::snprintf;
using ::sprintf;
using ::sscanf;
using ::ungetc;
using ::vfprintf;
using ::vfscanf;
using ::vprintf;
using ::vscanf;
using ::vsnprintf;
using ::vsprintf;
using ::vsscanf;
}  // namespace std
