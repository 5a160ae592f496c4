/// A file with the contents that a plugin's process sees, independent of later changes on disk.
public struct SealedFile: Hashable, Sendable {
  /// The absolute path.
  public var path: String
  /// The contents.
  public var bytes: [UInt8]
  /// True when the file is executable.
  public var isProgram: Bool

  /// Makes a file.
  public init(path: String, bytes: [UInt8], isProgram: Bool = false) {
    self.path = path
    self.bytes = bytes
    self.isProgram = isProgram
  }

  /// The folder of the file.
  var folder: String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
