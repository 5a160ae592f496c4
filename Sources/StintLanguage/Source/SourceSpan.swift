/// A stretch of a source file, in UTF-8 offsets.
public struct SourceSpan: Hashable, Sendable {
  /// The first byte.
  public var start: Int
  /// One past the last byte.
  public var end: Int

  /// Makes a span.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }
}
