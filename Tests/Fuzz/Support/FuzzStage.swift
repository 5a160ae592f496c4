/// A part of Stint that is shown any bytes and must take them well.
///
/// The name is that of its folder in `Crashes`, and what `.ci/long fuzz` calls it.
enum FuzzStage: String, CaseIterable, Sendable {
  case lexer, parser, formatter, checker, framing, session, image, boundary, site, descriptor, governor

  /// Takes the bytes; ends, does not trap, and finds what must hold of any bytes and does not.
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
