#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An `errno` as a Swift error; its description is the system's message.
public struct SystemNumber: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value of `errno`.
  public let number: Int32

  /// Wraps a value of `errno`.
  public init(_ number: Int32) { self.number = number }

  /// True when the system dropped messages because their reader was too slow (`ENOBUFS`).
  public var isOverrun: Bool { number == ENOBUFS }

  public var description: String { DescriptorCalls.reason(number) }
}
