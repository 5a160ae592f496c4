#include "stint_escapes.h"

#include <stddef.h>

static int count;
static char **words;

/// Called by the system before the main function.
__attribute__((constructor)) static void note_arguments(int argument_count, char **arguments) {
  count = argument_count;
  words = arguments;
}

const char *stint_program_argument(int32_t place) {
  return words != NULL && place >= 0 && place < count ? words[place] : NULL;
}
