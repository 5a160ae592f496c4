/// Files that are small enough to be read at once: policies, manifests, scenarios.
public enum WholeFile {
  /// The longest file read at once: 64 MiB.
  public static let sizeLimit = 64 << 20

  /// All bytes of a file; `-` is standard input.
  public static func bytes(of path: String) throws(FormatError) -> [UInt8] {
    let source = try ByteSource(path: path)
    var bytes: [UInt8] = []
    while try source.append(to: &bytes) {
      if bytes.count > sizeLimit {
        throw FormatError(
          .size, source: source.name, cause: "the file is longer than \(sizeLimit >> 20) MiB",
          step: "check that this is the file you mean")
      }
    }
    return bytes
  }
}
