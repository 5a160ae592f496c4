/// A file that a plugin's process sees with these bytes, whatever the disk holds by then.
public struct SealedFile: Hashable, Sendable {
  /// The whole path.
  public var path: String
  public var bytes: [UInt8]
  /// Whether it may be run.
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
