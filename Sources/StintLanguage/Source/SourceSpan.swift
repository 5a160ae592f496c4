/// A half-open range of a source file, in UTF-8 byte offsets.
public struct SourceSpan: Hashable, Sendable {
  /// The offset of the first byte.
  public var start: Int
  /// The offset after the last byte.
  public var end: Int

  /// Makes a span; `end` must not be below `start`.
  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }
}
