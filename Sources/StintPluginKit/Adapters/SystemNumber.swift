#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The system's number of an error, with its words.
public struct SystemNumber: Error, Hashable, Sendable, CustomStringConvertible {
  public let number: Int32

  /// Keeps a number, as in `errno`.
  public init(_ number: Int32) { self.number = number }

  /// Whether the system lost messages because its reader was too slow.
  public var isOverrun: Bool { number == ENOBUFS }

  public var description: String { DescriptorCalls.reason(number) }
}
