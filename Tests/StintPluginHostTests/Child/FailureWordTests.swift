import StintRuntime
import StintTestSupport
import Testing

@Suite struct FailureWordTests {
  @Test("the operators' guide lists every word for a failure of a plugin")
  func words() throws {
    func lines(_ path: String) throws -> [String] {
      String(decoding: try FileText.read(Repository.path(path)), as: UTF8.self).split(separator: "\n")
        .map(String.init)
    }
    let declared = try lines("Sources/StintPluginHost/Child/ChildFailure.swift").compactMap { line in
      line.split(separator: "\"").count == 3 && line.contains("= Code(rawValue:")
        ? String(line.split(separator: "\"")[1]) : nil
    }
    let guide = try lines("Sources/Stint/Stint.docc/Operators.md")
    let first = try #require(guide.firstIndex { $0.hasPrefix("| Word |") })
    let listed = guide[(first + 2)...].prefix { $0.hasPrefix("|") }.map { row in
      String(row.split(separator: "`")[1])
    }
    #expect(listed == declared && declared.count >= 7)
  }
}
