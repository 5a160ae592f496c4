public import StintLanguage

/// The explanation of a diagnostic code. `stint explain P0302` prints it.
///
/// Both examples are complete policies for the reference phone. The wrong example produces the code and no
/// other error; the right example produces no diagnostics. The pages are sections of the Markdown files in
/// `Pages`, one file for each group of codes. `PageReader` describes their format.
public struct DiagnosticPage: Hashable, Sendable, CustomStringConvertible {
  /// The explained code.
  public let code: DiagnosticCode
  /// The meaning of the code, in one line.
  public let meaning: String
  /// An explanation of the code, in one or two sentences; at most 160 characters.
  public let summary: String
  /// A policy with the mistake. `‹E9›` is the single byte E9, which a string cannot contain. `‹3 × ab›` is
  /// `ababab`.
  public let wrong: String
  /// The reason for the diagnostic, and the correction; at most 500 characters.
  public let why: String
  /// The policy without the mistake.
  public let right: String
  /// The limit of state slots with which the examples are checked; nil when the mistake is visible without a
  /// limit. Each temporal operator, such as `for`, needs one slot.
  public let maxSlots: Int?

  public var description: String { code.name }

  /// The bytes of the wrong example, with its marks expanded.
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
      preconditionFailure("invalid mark in a page: \(mark)")
    }
    let piece = Array(parts[1].utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(piece.count * count)
    for _ in 0..<count { bytes += piece }
    return bytes
  }

  /// Every page, in the order of the codes.
  public static let all: [DiagnosticPage] = [
    PackageResources.P00_md, PackageResources.P01_md, PackageResources.P02_md, PackageResources.P03_md,
    PackageResources.P04_md, PackageResources.P05_md, PackageResources.P06_md, PackageResources.W02_md,
    PackageResources.W03_md,
  ].flatMap(PageReader.pages)

  /// Returns the page of a code; nil when the code has no page. A test requires a page for each code.
  public static func page(of code: DiagnosticCode) -> DiagnosticPage? { all.first { $0.code == code } }
}

extension DiagnosticCode {
  /// The meaning of the code, in one line.
  public var meaning: String { DiagnosticPage.page(of: self)?.meaning ?? "" }
}
