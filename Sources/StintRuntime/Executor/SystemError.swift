#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The operating system refused something that a program needs to run at all.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call that failed: `pipe`.
  public let call: String
  /// The system's error number.
  public let number: Int32

  /// Makes an error from a call and its error number.
  public init(call: String, number: Int32) {
    self.call = call
    self.number = number
  }

  /// An error with the number that the last failed call left.
  static func last(_ call: String) -> SystemError { SystemError(call: call, number: errno) }

  public var description: String {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    let nextStep =
      number == EMFILE || number == ENFILE
      ? "raise the limit of open files (ulimit -n)" : "free memory, processes or files, then start again"
    return "the system refused \(call): \(reason); \(nextStep)"
  }
}
