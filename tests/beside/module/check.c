// Uses /dev/hocket/fifoN in every way, beside a peer that brings back what it gets (peer/peer.c).
//
// Each check prints one line, "check: NAME ok" or "check: NAME failed at line N: ERROR". Run as the
// first program of a Linux, with the two modules beside it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MODULE "/hocket/modules/hocket.ko"

static const char* check_name;

#define EXPECT(condition)                                                                 \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      printf("check: %s failed at line %d: %s\n", check_name, __LINE__, strerror(errno)); \
      return;                                                                             \
    }                                                                                     \
  } while (0)

static int open_fifo(int number, int flags) {
  char name[40];
  snprintf(name, sizeof name, "/dev/hocket/fifo%d", number);
  return open(name, flags);
}

static long number_in(const char* file) {
  char text[40] = "";
  const int fd = open(file, O_RDONLY);
  if (fd < 0 || read(fd, text, sizeof text - 1) <= 0) return -1;
  close(fd);
  return atol(text);
}
static long counter(int fifo, const char* name) {
  char file[100];
  snprintf(file, sizeof file, "/sys/class/hocket/hocket!fifo%d/%s", fifo, name);
  return number_in(file);
}
static void set_peer(const char* parameter, const char* value) {
  char file[100];
  snprintf(file, sizeof file, "/sys/module/peer/parameters/%s", parameter);
  const int fd = open(file, O_WRONLY);
  if (write(fd, value, strlen(value)) < 0) perror(file);
  close(fd);
}
static int load(const char* file) {
  const int fd = open(file, O_RDONLY);
  const int result = (int)syscall(SYS_finit_module, fd, "", 0);
  close(fd);
  return result;
}
static int unload(const char* name) {
  return (int)syscall(SYS_delete_module, name, O_NONBLOCK);
}

static void opens_one_way_only(void) {
  errno = 0;
  EXPECT(open_fifo(0, O_WRONLY) < 0 && errno == EACCES);
  EXPECT(open_fifo(0, O_RDWR) < 0 && errno == EACCES);
  EXPECT(open_fifo(1, O_RDONLY) < 0 && errno == EACCES);
  EXPECT(open_fifo(8, O_RDONLY) < 0 && errno == ENOENT);
  const int fd = open_fifo(0, O_RDONLY);
  EXPECT(fd >= 0);
  EXPECT(lseek(fd, 0, SEEK_SET) < 0 && errno == ESPIPE);
  close(fd);
  printf("check: %s ok\n", check_name);
}

static void records_go_round(void) {
  const int to = open_fifo(1, O_WRONLY), from = open_fifo(0, O_RDONLY);
  char text[4096];
  const char* volatile nowhere = (const char*)16;
  EXPECT(write(to, "one", 3) == 3 && write(to, "three", 5) == 5);
  EXPECT(read(from, text, sizeof text) == 3 && memcmp(text, "one", 3) == 0);  // sleeps
  EXPECT(read(from, text, 2) == 2 && memcmp(text, "th", 2) == 0);
  EXPECT(read(from, text, sizeof text) == 3 && memcmp(text, "ree", 3) == 0);
  EXPECT(write(to, text, 0) == 0 && read(from, text, 0) == 0);
  EXPECT(write(to, text, 4089) < 0 && errno == EMSGSIZE);
  EXPECT(write(to, text, 4088) == 4088 && read(from, text, sizeof text) == 4088);
  EXPECT(write(to, nowhere, 4) < 0 && errno == EFAULT);
  EXPECT(counter(0, "records") == 3 && counter(1, "records") == 3);
  EXPECT(counter(1, "loops_records") == 3 && counter(0, "loops_lost") == 0);
  close(to), close(from);
  printf("check: %s ok\n", check_name);
}

static void does_not_wait_where_asked(void) {
  const int to = open_fifo(3, O_WRONLY | O_NONBLOCK), from = open_fifo(2, O_RDONLY | O_NONBLOCK);
  struct pollfd reading = {from, POLLIN, 0}, writing = {to, POLLOUT, 0};
  char text[100] = "";
  int bytes = -1;
  EXPECT(read(from, text, 10) < 0 && errno == EAGAIN);
  EXPECT(poll(&reading, 1, 0) == 0 && poll(&writing, 1, 0) == 1);
  EXPECT(ioctl(from, FIONREAD, &bytes) == 0 && bytes == 0);
  EXPECT(ioctl(to, FIONREAD, &bytes) == 0 && bytes == 4088);
  EXPECT(ioctl(to, TIOCSTI, text) < 0 && errno == ENOTTY);
  EXPECT(write(to, "record", 6) == 6);
  EXPECT(poll(&reading, 1, -1) == 1 && reading.revents == POLLIN);
  EXPECT(ioctl(from, FIONREAD, &bytes) == 0 && bytes == 6);
  EXPECT(read(from, text, 100) == 6 && memcmp(text, "record", 6) == 0);
  set_peer("echo", "0");
  int written = 0;
  while (write(to, text, 100) == 100) ++written;
  EXPECT(errno == EAGAIN && written == 4096 / 112);
  EXPECT(poll(&writing, 1, 0) == 0);
  set_peer("echo", "1");
  EXPECT(poll(&writing, 1, -1) == 1 && writing.revents == POLLOUT);
  for (; written > 0; --written) {
    EXPECT(poll(&reading, 1, -1) == 1 && read(from, text, 100) == 100);
  }
  EXPECT(counter(3, "lost") == 0);
  close(to), close(from);
  printf("check: %s ok\n", check_name);
}

static void writer_sleeps_until_there_is_room(void) {
  const int to = open_fifo(5, O_WRONLY), from = open_fifo(4, O_RDONLY);
  enum { kRecords = 2000 };
  if (fork() == 0) {
    for (uint32_t i = 0; i < kRecords; ++i) {
      uint32_t record[30] = {i};
      if (write(to, record, 4 + i % 100) < 0) _exit(1);
    }
    _exit(0);
  }
  for (uint32_t i = 0; i < kRecords; ++i) {
    uint32_t record[1024];
    EXPECT(read(from, record, sizeof record) == 4 + i % 100 && record[0] == i);
  }
  int status = -1;
  EXPECT(wait(&status) > 0 && status == 0);
  close(to), close(from);
  printf("check: %s ok\n", check_name);
}

static void module_is_loaded_again(void) {
  int from = open_fifo(6, O_RDONLY), to = open_fifo(7, O_WRONLY);
  char text[100];
  EXPECT(write(to, "one", 3) == 3 && write(to, "two", 3) == 3 && write(to, "three", 5) == 5);
  EXPECT(read(from, text, 100) == 3 && read(from, text, 2) == 2);  // the second is begun
  EXPECT(unload("hocket") < 0 && errno == EWOULDBLOCK);
  close(to), close(from);
  EXPECT(unload("hocket") == 0);
  EXPECT(access("/dev/hocket/fifo6", F_OK) < 0);
  EXPECT(load(MODULE) == 0);
  from = open_fifo(6, O_RDONLY);
  EXPECT(read(from, text, 100) == 3 && memcmp(text, "two", 3) == 0);
  EXPECT(read(from, text, 100) == 5 && memcmp(text, "three", 5) == 0);
  EXPECT(counter(6, "corrupted") == 0 && counter(7, "loops_corrupted") == 0);
  close(from);
  printf("check: %s ok\n", check_name);
}

static void a_hostile_peer_breaks_nothing(void) {
  int from[4], to[4];
  for (int i = 0; i < 4; ++i) {
    from[i] = open_fifo(2 * i, O_RDONLY | O_NONBLOCK);
    to[i] = open_fifo(2 * i + 1, O_WRONLY | O_NONBLOCK);
  }
  set_peer("hostile", "2000");
  char text[4096];
  memset(text, 'x', sizeof text);
  for (int i = 0; number_in("/sys/module/peer/parameters/hostile") > 0; ++i) {
    const ssize_t got = read(from[i % 4], text, (size_t)(i * 37 % 4096));
    EXPECT(got <= 4088 && (got >= 0 || errno == EAGAIN));
    const ssize_t put = write(to[i % 4], text, (size_t)(i * 53 % 4088));
    EXPECT(put >= 0 || errno == EAGAIN);
  }
  EXPECT(counter(0, "corrupted") > 0 && counter(1, "corrupted") > 0);
  // It keeps to the protocol now: what is written goes round again, after a few that do not.
  for (int i = 0; i < 4; ++i) {
    struct pollfd reading = {from[i], POLLIN, 0}, writing = {to[i], POLLOUT, 0};
    for (int attempt = 0;; ++attempt) {
      EXPECT(attempt < 10);
      while (read(from[i], text, sizeof text) > 0) continue;
      if (poll(&writing, 1, 1000) == 1 && write(to[i], "again", 5) == 5 &&
          poll(&reading, 1, 1000) == 1 && read(from[i], text, sizeof text) == 5 &&
          memcmp(text, "again", 5) == 0)
        break;
    }
    close(from[i]), close(to[i]);
  }
  printf("check: %s ok\n", check_name);
}

#define RUN(check) (check_name = #check, check())

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  RUN(opens_one_way_only);
  RUN(records_go_round);
  RUN(does_not_wait_where_asked);
  RUN(writer_sleeps_until_there_is_room);
  RUN(module_is_loaded_again);
  RUN(a_hostile_peer_breaks_nothing);
  printf("check: end\n");
  return 0;
}
