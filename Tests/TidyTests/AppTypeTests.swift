import Testing

/// The types of values that apps read and write in `Stint` and in the kinds of requests of `StintServices`.
@Suite("the types of apps")
struct AppTypeTests {
  /// Declarations for authors of services and for board states, not for apps. They may use `TimeSpan`, whose
  /// arithmetic never traps.
  private static let ofServices = ["maxAge: TimeSpan", "func withAge(", "func maxAge("]

  /// Returns whether a line declares a public value of the type `TimeSpan`, or a case of an enum with it.
  private static func isMixed(_ line: Substring) -> Bool {
    let text = line.drop { $0 == " " }
    guard text.hasPrefix("public ") || text.hasPrefix("case "), text.contains("TimeSpan") else {
      return false
    }
    // The body of a property follows its type. Only the text before the body is the declaration.
    let declaration = text.prefix { $0 != "{" }
    return declaration.contains("TimeSpan") && !ofServices.contains { text.contains($0) }
  }

  @Test("a public declaration with “TimeSpan” is found, and an internal declaration is not")
  func finds() {
    #expect(Self.isMixed("  public var age: TimeSpan?"))
    #expect(Self.isMixed("  case cached(Fix, age: TimeSpan)"))
    #expect(Self.isMixed("  public static let timeout = TimeSpan.seconds(60)"))
    #expect(!Self.isMixed("  package static let timeout = TimeSpan.seconds(60)"))
    #expect(!Self.isMixed("  public var maxAge: TimeSpan { request.maxAge.timeSpan }"))
    #expect(!Self.isMixed("  public var age: Duration"))
  }

  @Test("the types of apps use “Duration” and never “TimeSpan”", arguments: ["Stint", "StintServices"])
  func durations(module: String) {
    let paths = SourceTree.paths(under: "Sources/\(module)").filter { $0.hasSuffix(".swift") }
    #expect(!paths.isEmpty)
    let findings = paths.flatMap { path in
      SourceTree.lines(of: path).filter(Self.isMixed).map { "\(path): \($0)" }
    }
    #expect(findings == [])
  }
}
