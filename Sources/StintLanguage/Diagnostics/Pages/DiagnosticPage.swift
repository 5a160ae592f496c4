/// What there is to say about a code, once and for all: `stint explain P0302` prints it.
///
/// Both examples are whole policies for the reference phone: the wrong one draws the code and no other error,
/// the right one draws neither.
public struct DiagnosticPage: Hashable, Sendable, CustomStringConvertible {
  public let code: DiagnosticCode
  /// What the code means, in a sentence or two.
  public let summary: String
  /// A policy with the mistake. `‹E9›` stands for the single byte E9, which no text can hold, and `‹3 × ab›` for
  /// `ababab`.
  public let wrong: String
  /// Why that cannot stand, or should not.
  public let why: String
  /// The policy without the mistake.
  public let right: String
  /// How many state slots the examples may keep; nil where no limit is needed to see the mistake.
  public let mostSlots: Int?

  /// Makes a page; the header is put in front of both examples.
  init(
    _ code: DiagnosticCode, _ summary: String, wrong: String, why: String, right: String,
    header: String = "policy \"example\" version 1\n\n", mostSlots: Int? = nil
  ) {
    self.mostSlots = mostSlots
    self.code = code
    self.summary = summary
    self.wrong = header + wrong + "\n"
    self.why = why
    self.right = header + right + "\n"
  }

  public var description: String { code.name }

  /// The bytes of the wrong example.
  public var wrongBytes: [UInt8] {
    var bytes: [UInt8] = []
    var rest = wrong[...]
    while let open = rest.firstIndex(of: "‹"), let close = rest[open...].firstIndex(of: "›") {
      bytes += Array(rest[..<open].utf8) + Self.bytes(of: rest[rest.index(after: open)..<close])
      rest = rest[rest.index(after: close)...]
    }
    return bytes + Array(rest.utf8)
  }

  private static func bytes(of mark: Substring) -> [UInt8] {
    if let byte = UInt8(mark, radix: 16) { return [byte] }
    let parts = mark.split(separator: " × ", maxSplits: 1)
    guard parts.count == 2, let count = Int(parts[0]) else {
      preconditionFailure("no mark of a page: \(mark)")
    }
    let piece = Array(parts[1].utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(piece.count * count)
    for _ in 0..<count { bytes += piece }
    return bytes
  }

  /// Every page, in the order of the codes' names.
  public static let all: [DiagnosticPage] =
    (lexing + parsing + names + types + rules + capabilities + analyses + advice + conflicts + tests
    + clients).sorted {
      $0.code.name < $1.code.name
    }

  /// The page of a code; nil for a code that has none, which a test forbids.
  public static func page(of code: DiagnosticCode) -> DiagnosticPage? { all.first { $0.code == code } }
}
