// The C library of the platform, under one name. `StintSystem.read(…)` calls a function of the library from a
// type that has a function of the same name.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
