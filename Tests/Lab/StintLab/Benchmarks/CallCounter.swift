#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads the numbers of allocator calls and lock calls from a counting library, if `LD_PRELOAD` loaded it
/// into this process.
enum CallCounter {
  private typealias Count = @convention(c) () -> UInt64

  /// The number of allocator calls up to now; nil without the counting library.
  static func allocations() -> Int? { count("stint_counted_allocations") }
  static func locks() -> Int? { count("stint_counted_locks") }

  private static func count(_ name: String) -> Int? {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), name) else { return nil }
    return Int(unsafeBitCast(symbol, to: Count.self)())
  }
}
