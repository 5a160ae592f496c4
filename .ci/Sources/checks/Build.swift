/// Something that several steps use and that is built once.
enum Build: String, CaseIterable, Sendable {
  /// Every product for release, as it ships.
  case release
  /// The program `stint` without optimization.
  case debug

  var arguments: [String] {
    switch self {
    // Imports that no dependency of the target covers are errors.
    case .release: ["swift", "build", "-c", "release", "--explicit-target-dependency-import-check", "error"]
    case .debug: ["swift", "build", "--product", "stint"]
    }
  }

  var configuration: String { self == .debug ? "debug" : "release" }
}
