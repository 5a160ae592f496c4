/// A file with the contents that a plugin's process reads, independent of later changes on disk.
public struct SealedFile: Sendable {
  /// The absolute path.
  public var path: String
  /// The contents.
  public var contents: SealedContents
  /// True when the file is executable.
  public var isProgram: Bool

  /// Makes a file.
  public init(path: String, contents: SealedContents, isProgram: Bool = false) {
    self.path = path
    self.contents = contents
    self.isProgram = isProgram
  }

  /// Makes a file from bytes.
  ///
  /// - Throws: `ChildFailure` when the system has no memory for the bytes.
  package init(path: String, bytes: [UInt8], isProgram: Bool = false) throws(ChildFailure) {
    self.init(path: path, contents: try SealedContents(bytes), isProgram: isProgram)
  }

  var folder: String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
