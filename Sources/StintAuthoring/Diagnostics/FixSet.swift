public import StintLanguage

/// A set of non-overlapping corrections (`Diagnostic.Fix`) of one file.
public struct FixSet: Hashable, Sendable {
  /// The fixes in order of position.
  public private(set) var fixes: [Diagnostic.Fix] = []

  /// Creates an empty set.
  public init() {}

  /// True when the set has no fixes.
  public var isEmpty: Bool { fixes.isEmpty }

  /// Inserts a fix unless a fix of the set overlaps it or begins at the same offset.
  ///
  /// - Returns: true when the fix was inserted.
  @discardableResult
  public mutating func insert(_ fix: Diagnostic.Fix) -> Bool {
    let index = fixes.firstIndex { $0.span.start > fix.span.start } ?? fixes.endIndex
    if index > 0 {
      let before = fixes[index - 1].span
      guard before.end <= fix.span.start, before.start < fix.span.start else { return false }
    }
    if index < fixes.endIndex {
      guard fix.span.end <= fixes[index].span.start else { return false }
    }
    fixes.insert(fix, at: index)
    return true
  }

  /// Returns the bytes of the file with all fixes applied.
  public func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var copiedEnd = 0
    for fix in fixes {
      result += bytes[copiedEnd..<fix.span.start]
      result += Array(fix.replacement.utf8)
      copiedEnd = fix.span.end
    }
    return result + bytes[copiedEnd...]
  }
}

extension Diagnostic.Fix {
  /// Returns a description of the fix for users: `replace “5 m” by “5 min”`.
  public func title(in source: SourceText) -> String {
    let old = Self.shown(source.text(of: span))
    let new = Self.shown(replacement)
    if span.start == 0, span.end == 0, replacement.isEmpty { return "save as UTF-8" }
    if new.isEmpty { return "remove “\(old)”" }
    return old.isEmpty ? "insert “\(new)”" : "replace “\(old)” by “\(new)”"
  }

  /// Returns at most 60 characters of the first line that is not empty, without surrounding spaces.
  ///
  /// The result ends with “ …” when it leaves out visible text. When the line has only spaces, the result is
  /// the complete text.
  private static func shown(_ text: String) -> String {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: true)
    guard let first = lines.first else { return text }
    var line = first.drop { $0 == " " }
    while line.last == " " { line.removeLast() }
    let isCut = line.count > 60 || (lines.count > 1 && lines[1].contains { !$0.isWhitespace })
    return line.isEmpty ? text : line.prefix(60) + (isCut ? " …" : "")
  }
}
