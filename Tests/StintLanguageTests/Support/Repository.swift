/// Where the files of the repository lie.
enum Repository {
  /// The path of a file, from the root of the repository.
  static func path(_ path: String) -> String {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(4)
    return parts.joined(separator: "/") + "/" + path
  }
}
