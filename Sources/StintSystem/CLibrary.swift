// Re-exports the C library of the platform as `StintSystem`. A type that has its own function `read` can then
// call the C function as `StintSystem.read(…)`.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
