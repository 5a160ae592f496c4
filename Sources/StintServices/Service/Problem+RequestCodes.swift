public import StintUnits

/// The codes of refused requests, commands and calls.
///
/// The library throws these codes, and messages at the socket contain their names. So one mistake has one
/// code, whichever way a client makes the request. The codes that a service itself reports are derived from
/// `ServiceFailure.Code`.
extension Problem.Code {
  /// An argument, a request or a command is invalid, for example a value out of range.
  public static let invalid = Self(ServiceFailure.Code.invalid)
  /// The user has not decided yet whether the client gets the permission.
  public static let undecided = Self(ServiceFailure.Code.undecided)
  /// The user refused or withdrew the permission.
  public static let denied = Self(ServiceFailure.Code.denied)
  /// The device has failed or was removed, its plugin is not linked into the app, or a session of transfers
  /// has no carrier.
  public static let unavailable = Self(ServiceFailure.Code.unavailable)
  /// The client is detached. Attach it again.
  public static let detached = Self(ServiceFailure.Code.detached)
  /// The service has ended, or was never requested.
  public static let over = Self(ServiceFailure.Code.over)
  /// Another task reads the same stream.
  public static let hasReader = Self(ServiceFailure.Code.hasReader)
  /// No device has this name or purpose, or the device has no samples. Or policies need devices that are
  /// missing.
  public static let noSuchDevice = Self("no-such-device")

  /// The declaration or the value of a fact is invalid, or a client publishes a fact that is not declared.
  public static let badFact = Self("bad-fact")

  /// The codes of refused requests, commands and calls, which an app and a program at the socket get alike.
  package static let ofRequests: [Self] = [
    .invalid, .undecided, .denied, .noSuchDevice, .unavailable, .over, .duplicate, .full, .badFact, .inUse,
  ]

  /// Makes the code of a failure of a service.
  init(_ code: ServiceFailure.Code) {
    // Services and files use one code for a name that occurs twice.
    self = code == .duplicate ? .duplicate : Self(code.name)
  }

  /// True when the client lacks a permission: `denied` or `undecided`.
  public var isPermission: Bool { self == .denied || self == .undecided }
}
