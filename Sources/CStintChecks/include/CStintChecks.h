#ifndef CSTINTCHECKS_H
#define CSTINTCHECKS_H

#include <stddef.h>
#include <stdint.h>

/// Returns 1 when this processor has an instruction for CRC-32C, else 0. Call `stint_crc32c` only after a
/// result of 1.
int stint_has_crc32c(void);

/// Adds bytes to a CRC-32C by the processor's instruction. `sum` is the inverted checksum of the preceding
/// bytes. Returns the inverted checksum of all bytes so far.
uint32_t stint_crc32c(uint32_t sum, const void *bytes, size_t count);

#endif
