import StintFormats
import StintJournal
import StintModel
import StintRuntime
import StintUnits

/// The file with the decisions of operators about clients, next to the state file: `STATE.permissions`.
///
/// Its format is `{"stint_permissions": 1, "decisions": {"trail-app": {"location": "denied"}}}`.
struct DecisionFile: Sendable {
  private struct Content: Codable {
    var version: Int64
    var decisions: [String: PermissionDecision]

    enum CodingKeys: String, CodingKey {
      case version = "stint_permissions"
      case decisions
    }
  }

  private static let version: Int64 = 1

  let path: String
  private let writer: DiskWriter

  /// Makes the file of a daemon; nil for a daemon without a state file.
  init?(besides state: String?, disk: DiskFullSwitch) {
    guard let state else { return nil }
    path = state + ".permissions"
    writer = DiskWriter(path: path, room: disk)
  }

  /// Reads the decisions; empty when the file does not exist.
  ///
  /// - Throws: `Problem` when the file cannot be read or has another form.
  func load() throws(Problem) -> [ClientID: PermissionDecision] {
    let bytes: [UInt8]
    // A pipe would delay the start.
    try StateFile.requireFile(path)
    do throws(Problem) {
      bytes = try FileText.read(path)
    } catch {
      if error.code == .notFound { return [:] }
      throw error
    }
    let value = try JSONReader.value(of: bytes, source: path)
    let content = try JSONValueDecoder(file: path).decode(Content.self, from: value)
    guard content.version == Self.version else {
      throw Problem(
        .file, place: path, cause: "it is of version \(content.version), and this program reads 1")
    }
    return Dictionary(content.decisions.map { (ClientID($0.key), $0.value) }) { first, _ in first }
  }

  /// Replaces the content on the thread of the disk. Calls `report` with the problem, or nil when the content
  /// is on the disk.
  func save(
    _ decisions: [ClientID: PermissionDecision], report: @escaping @Sendable (Problem?) -> Void
  ) {
    let named = Dictionary(decisions.map { ($0.key.name, $0.value) }) { first, _ in first }
    do throws(Problem) {
      let line = try JSONCoding.line(of: Content(version: Self.version, decisions: named))
      writer.submit(Array((line + "\n").utf8), report: report)
    } catch {
      report(error)
    }
  }
}
