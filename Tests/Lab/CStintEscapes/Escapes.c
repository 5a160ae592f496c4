#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "EscapeAttempts.h"
#include "stint_escapes.h"

#include <stddef.h>

#if defined(__linux__)

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct stint_escape *const lists[] = {
  stint_process_escapes, stint_file_escapes, stint_system_escapes,
};

static int write_all(int file, const char *text, size_t count) {
  while (count > 0) {
    ssize_t written = write(file, text, count);
    if (written <= 0) return -1;
    text += written;
    count -= (size_t)written;
  }
  return 0;
}

int32_t stint_escape_count(void) {
  int32_t count = 0;
  for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++)
    for (const struct stint_escape *escape = lists[list]; escape->name != NULL; escape++) count++;
  return count;
}

int stint_run_escapes(int32_t process, const char *folder, int channel) {
  struct stint_escape_target target = {process, folder};
  char line[256];
  for (size_t list = 0; list < sizeof lists / sizeof lists[0]; list++) {
    for (const struct stint_escape *escape = lists[list]; escape->name != NULL; escape++) {
      int number = escape->attempt(&target);
      int count = snprintf(line, sizeof line, "%d %s\n", number, escape->name);
      if (write_all(channel, line, (size_t)count) != 0) return 1;
    }
  }
  return 0;
}

#else

int32_t stint_escape_count(void) { return 0; }

int stint_run_escapes(int32_t process, const char *folder, int channel) {
  (void)process;
  (void)folder;
  (void)channel;
  return 1;
}

#endif
