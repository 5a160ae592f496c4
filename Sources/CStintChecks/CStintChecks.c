#include "CStintChecks.h"

#include <string.h>

#if defined(__x86_64__)

#include <nmmintrin.h>

int stint_has_crc32c(void) { return __builtin_cpu_supports("sse4.2") != 0; }

__attribute__((target("sse4.2"))) uint32_t stint_crc32c(uint32_t sum, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  uint64_t wide = sum;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    wide = _mm_crc32_u64(wide, word);
  }
  sum = (uint32_t)wide;
  if (count >= 4) {
    uint32_t word;
    memcpy(&word, next, 4);
    sum = _mm_crc32_u32(sum, word);
    next += 4;
    count -= 4;
  }
  for (; count > 0; count--, next++) sum = _mm_crc32_u8(sum, *next);
  return sum;
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>

int stint_has_crc32c(void) { return 1; }

uint32_t stint_crc32c(uint32_t sum, const void *bytes, size_t count) {
  const unsigned char *next = bytes;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    sum = __crc32cd(sum, word);
  }
  for (; count > 0; count--, next++) sum = __crc32cb(sum, *next);
  return sum;
}

#else

int stint_has_crc32c(void) { return 0; }

uint32_t stint_crc32c(uint32_t sum, const void *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return sum;
}

#endif
