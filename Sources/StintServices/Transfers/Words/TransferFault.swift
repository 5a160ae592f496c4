/// Why a transfer failed: a kind, and whether trying again may help.
public struct TransferFault: Hashable, Sendable, CustomStringConvertible {
  public let name: String
  public let isTransient: Bool

  /// Names a kind; later versions may add kinds.
  public init(_ name: String, isTransient: Bool = false) {
    self.name = name
    self.isTransient = isTransient
  }

  /// The connection broke, or never stood.
  public static let connection = TransferFault("connection", isTransient: true)
  /// The server has trouble of its own.
  public static let server = TransferFault("server", isTransient: true)
  /// The server will not have it: no such thing, not allowed.
  public static let rejected = TransferFault("rejected")
  /// The file to send is not there any more.
  public static let bodyGone = TransferFault("body-gone")
  /// There is no room for what was fetched.
  public static let diskFull = TransferFault("disk-full")
  /// Its window ended.
  public static let expired = TransferFault("expired")
  /// The client does not want it any more.
  public static let cancelled = TransferFault("cancelled")

  public var description: String { name }
}
