public import StintUnits

/// The storage for services across restarts.
public protocol ServicesKeeper: Sendable {
  /// Replaces the saved content, which `ServicesFile.content(for:)` returned. When the call returns, the new
  /// content is persistent. When it throws, the previous content remains.
  func keep(_ content: [UInt8]) throws(Problem)
}
