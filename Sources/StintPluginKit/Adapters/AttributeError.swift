/// Why a file of `/sys` could not be read or written.
public struct AttributeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file, or its device has gone.
    public static let absent = Code(rawValue: "absent")
    /// The system or the device refuses.
    public static let refused = Code(rawValue: "refused")
    /// What is in it is not what should be.
    public static let content = Code(rawValue: "content")
  }

  public var code: Code
  /// The whole path of the file.
  public var path: String
  /// What is wrong, without a full stop.
  public var cause: String

  /// Makes an error.
  public init(_ code: Code, path: String, cause: String) {
    self.code = code
    self.path = path
    self.cause = cause
  }

  public var description: String { "\(path): \(cause)" }
}
