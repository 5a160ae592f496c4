public import StintUnits

/// The storage for services across restarts.
public protocol ServicesKeeper: Sendable {
  /// Replaces the saved content by `content`, a result of `ServicesFile.content(for:)`. Must not be called
  /// again before the previous call has reported.
  ///
  /// - Parameter report: called once, on any thread, possibly before `keep` returns. Receives nil when the
  ///   new content is persistent, or the problem when the previous content remains.
  func keep(_ content: [UInt8], report: @escaping @Sendable (Problem?) -> Void)
}
