/// A part of Stint that must process any bytes safely.
///
/// The raw value is the name of the stage's folder in `Tests/Fuzz/Crashes`, and its name in `.ci/long fuzz`.
enum FuzzStage: String, CaseIterable, Sendable {
  case lexer, parser, formatter, checker, framing, session, image, boundary, site, descriptor, governor

  /// Processes the bytes. Stint must neither trap nor loop endlessly on any bytes. Throws a finding when a
  /// property of the stage is violated.
  func run(_ bytes: [UInt8]) throws(FuzzFinding) {
    switch self {
    case .lexer: try LexerStage.run(bytes)
    case .parser: try ParserStage.run(bytes)
    case .formatter: try FormatterStage.run(bytes)
    case .checker: try CheckerStage.run(bytes)
    case .framing: try FramingStage.run(bytes)
    case .session: try SessionStage.run(bytes)
    case .image: try ImageStage.run(bytes)
    case .boundary: try BoundaryStage.run(bytes)
    case .site: try SiteStage.run(bytes)
    case .descriptor: try DescriptorStage.run(bytes)
    case .governor: try GovernorStage.run(bytes)
    }
  }
}
