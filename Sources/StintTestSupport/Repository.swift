/// Where the files of the repository lie.
public enum Repository {
  /// The path of a file, from the root of the repository.
  public static func path(_ path: String) -> String {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/") + "/" + path
  }
}
