import StintDaemon
import StintFormats
import StintRuntime
import Testing

@testable import StintTools

/// The schemas are in the grammar folder; `Tests/Schemas/schemas.py` checks the output of commands against
/// them.
@Suite("Kinds of reports")
struct ReportKindTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/grammar/schemas"

  @Test("each kind of report has a schema of its version, and each schema belongs to a kind of report")
  func schemas() throws {
    let files = try Folder.files(in: Self.folder, suffix: ".json")
    #expect(Set(files) == Set(ReportKind.allCases.map { "\(Self.folder)/\($0.rawValue).json" }))
    for kind in ReportKind.allCases {
      let path = "\(Self.folder)/\(kind.rawValue).json"
      let schema = try JSONReader.value(
        of: String(decoding: FileText.read(path), as: UTF8.self), source: path)
      #expect(schema["properties"]?[kind.member]?["const"]?.integer == kind.version, "\(path)")
      #expect(schema["additionalProperties"]?.boolean == false, "\(path)")
    }
  }

  @Test("a report begins with the name of its schema and the version")
  func stamp() {
    #expect(ReportKind.whyNot.text(of: ["thing": "gps"]) == #"{"stint_why_not":1,"thing":"gps"}"#)
  }
}
