import StintRuntime
import StintTestSupport
import Testing

/// Compares the guide `Calls.md`, which lists thirty calls, with the calls that `GuideCallsTests` runs.
@Suite struct CallsGuideTests {
  private func lines(_ path: String) throws -> [String] {
    String(decoding: try FileText.read(Repository.path(path)), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Returns the cells of the table that begins with a heading row, without that row and without backquotes.
  private func table(_ heading: String) throws -> [[String]] {
    let all = try lines("Sources/Stint/Stint.docc/Calls.md")
    let first = try #require(all.firstIndex { $0.hasPrefix(heading) })
    return all[(first + 2)...].prefix { $0.hasPrefix("|") }.map { row in
      row.dropFirst().dropLast().split(separator: "|").map { cell in
        String(cell.filter { $0 != "`" }).trimmed
      }
    }
  }

  @Test("the guide lists the thirty tested calls in their order, each with code that its test contains")
  func calls() throws {
    let tests = try lines("Tests/StintRuntimeTests/Embedding/GuideCallsTests.swift")
    let rows = try table("| Task |")
    var names: [String] = []
    var bodies: [String] = []
    for line in tests {
      if line.hasPrefix("    Call(\"") {
        names.append(String(line.dropFirst(10).prefix { $0 != "\"" }))
        bodies.append("")
      } else if !bodies.isEmpty {
        bodies[bodies.count - 1] += line + "\n"
      }
    }
    #expect(rows.map { $0[0] } == names && rows.count == 30)
    for (row, body) in zip(rows, bodies) { #expect(body.contains(row[1]), "\(row[0])") }
  }

  @Test("the guide lists every case of the notice types of its calls")
  func notices() throws {
    let types = [
      "LocationNotice": "Location/LocationNotice.swift", "MoveNotice": "Places/MovesRequest.swift",
      "RegionNotice": "Places/RegionsRequest.swift", "VisitNotice": "Places/VisitsRequest.swift",
      "RangingNotice": "Places/BeaconsRequest.swift",
      "OrientationNotice": "Motion/OrientationService.swift", "MotionNotice": "Motion/MotionRequest.swift",
      "TransferNotice": "Transfers/TransferNotice.swift",
    ]
    let listed = try table("| Type |")
    #expect(Set(listed.map { $0[0] }) == Set(types.keys))
    for row in listed {
      let source = try lines("Sources/StintServices/" + (types[row[0]] ?? ""))
      let start = try #require(source.firstIndex { $0.hasPrefix("public enum \(row[0])") })
      let cases = source[start...].prefix { $0 != "}" }
        .map { $0.hasPrefix("  indirect ") ? "  " + $0.dropFirst(11) : $0 }.filter { $0.hasPrefix("  case ") }
        .map { String($0.dropFirst(7).prefix { $0.isLetter }) }
      #expect(row[1].split(separator: ",").map { String($0).trimmed } == cases, "\(row[0])")
    }
    let named = Set(try table("| Task |").map { $0[2] }).subtracting(["none", "PermissionRequest.Answer"])
    #expect(named == Set(types.keys))
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first == " " { text = text.dropFirst() }
    while text.last == " " { text = text.dropLast() }
    return String(text)
  }
}
