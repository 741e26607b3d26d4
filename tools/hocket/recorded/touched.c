/* Loaded into every process of a recorded test (LD_PRELOAD): notes which files of the project it
 * looks at.
 *
 *   HOCKET_TOUCHED       the file that the notes are appended to
 *   HOCKET_TOUCHED_ROOT  the project's folder
 *
 * A note is a letter and a path: r (read), s (its presence or state was asked), l (a folder was
 * listed), x (run), and p with the type of a simulated part that a scenario names. Build tools have
 * a graph of their own for what they read (products.py): neither they nor their compilers make
 * notes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { kPath = 4096, kKnown = 1 << 13 };

static char log_file[kPath], root[kPath];
static size_t root_length;
static uint64_t known[kKnown]; /* notes already made, by hash; a race only makes one twice */

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_new(const char* text) {
  uint64_t hash = 14695981039346656037u;
  for (const char* c = text; *c != 0; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  for (unsigned step = 0; step < 16; ++step) {
    uint64_t* const slot = &known[(hash + step) % kKnown];
    if (*slot == hash) return 0;
    if (*slot == 0) {
      *slot = hash;
      return 1;
    }
  }
  return 1;
}

static void append(const char* line) {
  if (!is_new(line)) return;
  const int file = REAL(open)(log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (write(file, line, strlen(line)) < 0) { /* the disk is full: the test says so itself */
  }
  close(file);
}

static void note(char how, int folder, const char* path) {
  if (root_length == 0 || path == NULL || *path == 0) return;
  const int before = errno;
  char line[2 * kPath];
  size_t used = 2;
  if (*path != '/') {
    ssize_t length = -1;
    if (folder == AT_FDCWD) {
      if (getcwd(line + used, kPath - 8) != NULL) length = (ssize_t)strlen(line + used);
    } else {
      char link[40];
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      length = readlink(link, line + used, kPath - 8);
    }
    if (length < 0) goto end;
    used += (size_t)length;
    line[used++] = '/';
  }
  const size_t length = strlen(path);
  if (used + length + 2 > sizeof line) goto end;
  memcpy(line + used, path, length);
  used += length;
  line[used] = 0;
  const char* const whole = line + 2;
  if (strncmp(whole, root, root_length) != 0) goto end;
  if (whole[root_length] != '/' && whole[root_length] != 0) goto end;
  line[0] = how;
  line[1] = ' ';
  line[used++] = '\n';
  line[used] = 0;
  append(line);
end:
  errno = before;
}

/* The types of parts in a file, if it is a scenario as the simulators read it. */
static void note_parts(const char* scenario) {
  FILE* const file = REAL(fopen)(scenario, "re");
  if (file == NULL) return;
  char* line = NULL;
  size_t room = 0;
  const char heading[] = "hocket-scenario ";
  if (getline(&line, &room, file) >= 0 && strncmp(line, heading, sizeof heading - 1) == 0) {
    while (getline(&line, &room, file) >= 0) {
      char type[64], text[80];
      if (sscanf(line, "part %63s", type) != 1) continue;
      snprintf(text, sizeof text, "p %s\n", type);
      append(text);
    }
  }
  free(line);
  fclose(file);
}

static int is_build_tool(const char* program) {
  static const char* const names[] = {"ninja", "cmake", "make"};
  const char* const slash = strrchr(program, '/');
  const char* const base = slash == NULL ? program : slash + 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(base, names[i]) == 0) return 1;
  }
  return 0;
}

__attribute__((constructor)) static void begin(int count, char** arguments) {
  const char* const log = getenv("HOCKET_TOUCHED");
  const char* const place = getenv("HOCKET_TOUCHED_ROOT");
  if (log == NULL || place == NULL || *log != '/' || strlen(log) >= kPath || strlen(place) >= kPath)
    return;
  char program[kPath] = "";
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
  if (is_build_tool(program)) {
    unsetenv("HOCKET_TOUCHED");
    return;
  }
  strcpy(log_file, log);
  strcpy(root, place);
  root_length = strlen(root);
  note('x', AT_FDCWD, program);
  if (strcmp(strrchr(program, '/'), "/git") == 0) append("x git\n");
  if (strncmp(program, root, root_length) != 0) return;
  for (int i = 1; i < count; ++i) {
    struct stat state;
    const int is_file = REAL(stat)(arguments[i], &state) == 0 && S_ISREG(state.st_mode);
    if (is_file && state.st_size < 1 << 20) note_parts(arguments[i]);
  }
}

static int reads(int flags) {
  return (flags & O_ACCMODE) != O_WRONLY && (flags & (O_CREAT | O_TRUNC)) == 0;
}

#define OPEN(name)                                                             \
  int name(const char* path, int flags, ...) {                                 \
    va_list more;                                                              \
    va_start(more, flags);                                                     \
    const mode_t mode = va_arg(more, mode_t);                                  \
    va_end(more);                                                              \
    if (reads(flags)) note((flags & O_DIRECTORY) ? 's' : 'r', AT_FDCWD, path); \
    return REAL(name)(path, flags, mode);                                      \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                         \
  int name(int folder, const char* path, int flags, ...) {                   \
    va_list more;                                                            \
    va_start(more, flags);                                                   \
    const mode_t mode = va_arg(more, mode_t);                                \
    va_end(more);                                                            \
    if (reads(flags)) note((flags & O_DIRECTORY) ? 's' : 'r', folder, path); \
    return REAL(name)(folder, path, flags, mode);                            \
  }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                \
  FILE* name(const char* path, const char* mode) { \
    if (*mode == 'r') note('r', AT_FDCWD, path);   \
    return REAL(name)(path, mode);                 \
  }
FOPEN(fopen)
FOPEN(fopen64)

#define STAT(name, type)                           \
  int name(const char* path, struct type* state) { \
    note('s', AT_FDCWD, path);                     \
    return REAL(name)(path, state);                \
  }
STAT(stat, stat)
STAT(stat64, stat64)
STAT(lstat, stat)
STAT(lstat64, stat64)

#define STATAT(name, type)                                                \
  int name(int folder, const char* path, struct type* state, int flags) { \
    note('s', folder, path);                                              \
    return REAL(name)(folder, path, state, flags);                        \
  }
STATAT(fstatat, stat)
STATAT(fstatat64, stat64)

int statx(int folder, const char* path, int flags, unsigned mask, struct statx* state) {
  note('s', folder, path);
  return REAL(statx)(folder, path, flags, mask, state);
}
int access(const char* path, int mode) {
  note('s', AT_FDCWD, path);
  return REAL(access)(path, mode);
}
int faccessat(int folder, const char* path, int mode, int flags) {
  note('s', folder, path);
  return REAL(faccessat)(folder, path, mode, flags);
}

DIR* opendir(const char* path) {
  note('l', AT_FDCWD, path);
  return REAL(opendir)(path);
}
DIR* fdopendir(int folder) {
  note('l', folder, ".");
  return REAL(fdopendir)(folder);
}

int execve(const char* path, char* const arguments[], char* const environment[]) {
  note('x', AT_FDCWD, path);
  return REAL(execve)(path, arguments, environment);
}
int execv(const char* path, char* const arguments[]) {
  note('x', AT_FDCWD, path);
  return REAL(execv)(path, arguments);
}
int execvp(const char* path, char* const arguments[]) {
  if (strchr(path, '/') != NULL) note('x', AT_FDCWD, path);
  return REAL(execvp)(path, arguments);
}
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[],
                char* const environment[]) {
  note('x', AT_FDCWD, path);
  return REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}
