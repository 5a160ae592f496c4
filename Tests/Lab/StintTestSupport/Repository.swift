/// Locates files of the repository that contains this source file.
public enum Repository {
  /// Returns the absolute path of a file, from its path in the repository.
  public static func path(_ path: String) -> String {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(4)
    return parts.joined(separator: "/") + "/" + path
  }
}
