/// A build that is made once and shared by several steps.
enum Build: String, CaseIterable, Sendable {
  /// All products, built for release as they are shipped.
  case release
  /// The program `stint` without optimization.
  case debug

  /// The arguments of the release build. This build has a separate build folder, so that it can run while
  /// `swift test` locks the default build folder.
  static let shipping = ["-c", "release", "--scratch-path", Workspace.shipping]

  var arguments: [String] {
    switch self {
    // An import that is not a declared dependency of the target is an error.
    case .release:
      ["swift", "build"] + Self.shipping + ["--explicit-target-dependency-import-check", "error"]
    case .debug: ["swift", "build", "--product", "stint"]
    }
  }

  var configuration: String { self == .debug ? "debug" : "release" }
}
