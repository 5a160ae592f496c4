#ifndef CSTINTCHECKS_H
#define CSTINTCHECKS_H

#include <stddef.h>
#include <stdint.h>

/// Whether this processor has an instruction for CRC-32C. `stint_crc32c` may be called only when it has.
int stint_has_crc32c(void);

/// Adds bytes to a CRC-32C by the processor's instruction. `sum` is the inverted checksum of the preceding
/// bytes.
uint32_t stint_crc32c(uint32_t sum, const void *bytes, size_t count);

#endif
