/// The versions that users see.
public enum Version {
  public static let package = "0.1.0"
  /// The policy language's; files say nothing about it, so it only ever grows by addition.
  public static let language = 1
}
