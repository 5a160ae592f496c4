public import StintFormats

/// A world that can be looked at from many places at once.
///
/// Every device, and the referee, owns a view of its own: views share nothing, so the answers do not depend on
/// who asks first or on how many threads do.
public protocol WorldSource: Sendable {
  /// A new view that stands at the start.
  ///
  /// - Throws: when what the world is read from cannot be opened.
  func makeView() throws(FormatError) -> any WorldView
}
