/// Where the package lies.
enum Repository {
  /// A path below the package's root.
  static func path(_ relative: String, from file: String = #filePath) -> String {
    let folders = file.split(separator: "/").dropLast(4)
    return "/" + folders.joined(separator: "/") + "/" + relative
  }
}
