/// Something that several steps use and that is built once.
enum Build: String, CaseIterable, Sendable {
  /// Every product for release, as it ships.
  case release
  /// The program `stint` without optimization.
  case debug

  /// A folder of its own lets the release build run beside `swift test`, which locks the folder of products.
  static let shipping = ["-c", "release", "--scratch-path", Workspace.shipping]

  var arguments: [String] {
    switch self {
    // Imports that no dependency of the target covers are errors.
    case .release:
      ["swift", "build"] + Self.shipping + ["--explicit-target-dependency-import-check", "error"]
    case .debug: ["swift", "build", "--product", "stint"]
    }
  }

  var configuration: String { self == .debug ? "debug" : "release" }
}
