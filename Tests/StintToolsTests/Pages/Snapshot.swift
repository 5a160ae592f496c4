import StintRuntime
import StintTestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Recorded texts that a person has reviewed. `STINT_RECORD=1` records them again.
enum Snapshot {
  private static let folder = Repository.path("Tests/Snapshots")
  private static let isRecording = getenv("STINT_RECORD").map { String(cString: $0) } == "1"

  /// Fails the test when the text differs from the recorded text with the given name.
  static func compare(_ text: String, with name: String) throws {
    let path = "\(folder)/\(name)"
    if isRecording {
      try FileText.write(Array(text.utf8), to: path)
      return
    }
    guard Folder.entry(at: path) == .file else {
      Issue.record("\(name) is missing; check the text and record it with STINT_RECORD=1\n\(text)")
      return
    }
    let recorded = String(decoding: try FileText.read(path), as: UTF8.self)
    guard !recorded.utf8.elementsEqual(text.utf8) else { return }
    let lines = (recorded, text)
    let old = lines.0.split(separator: "\n", omittingEmptySubsequences: false)
    let new = lines.1.split(separator: "\n", omittingEmptySubsequences: false)
    let first = zip(old, new).prefix { $0 == $1 }.count
    Issue.record(
      """
      \(name) differs from line \(first + 1) on; if the new text is correct, record it with STINT_RECORD=1
      was: \(old.dropFirst(first).first ?? "(nothing)")
      is:  \(new.dropFirst(first).first ?? "(nothing)")
      """)
  }

  /// Returns the names of the snapshots in a folder, sorted.
  static func names(in name: String, suffix: String) throws -> [String] {
    try Folder.files(in: "\(folder)/\(name)", suffix: suffix).map { path in
      String(path.split(separator: "/").last ?? "")
    }
  }
}
