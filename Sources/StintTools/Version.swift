/// Version numbers that Stint reports to users.
public enum Version {
  /// The version of the `stint` package, as a semantic version.
  public static let package = "0.1.0"
  /// The version of the policy language. Policy files do not contain this version, so each new version must
  /// also accept every older policy: changes of the language are always additions.
  public static let language = 1
}
