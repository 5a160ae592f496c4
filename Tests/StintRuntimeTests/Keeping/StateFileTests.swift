import StintTestSupport
import StintUnits
import Testing

@testable import StintRuntime

/// Invalid files that a start moves away, and foreign files that it keeps.
@Suite struct StateFileTests {
  private let problem = Problem(.file, cause: "invalid")

  private func reject(_ text: String, in folder: TemporaryFolder) throws -> String? {
    folder.write("state", text)
    return try StateFile.reject(
      folder.at("state"), Array(text.utf8), beginning: DaemonState.beginning, because: problem)
  }

  @Test("a damaged, cut or empty file of the format is renamed", arguments: ["STINTDMN\u{2}x", "STINT", ""])
  func own(text: String) throws {
    let folder = TemporaryFolder()
    #expect(try reject(text, in: folder) == folder.at("state.refused"))
    #expect(try reject(text, in: folder) == folder.at("state.refused-2"))
    #expect(try Folder.names(in: folder.path) == ["state.refused", "state.refused-2"])
  }

  @Test(
    "a file of another format keeps its name, and the problem is thrown", arguments: ["{}", "STINX", "\0"])
  func unexpectedContent(text: String) throws {
    let folder = TemporaryFolder()
    #expect(throws: problem) { try reject(text, in: folder) }
    #expect(try Folder.names(in: folder.path) == ["state"])
  }
}
