import StintUnits
import Testing

@Suite("Problems")
struct ProblemTests {
  private let wrong = Problem(
    .type, place: Problem.Place("phone.json", at: TextLocation(line: 3, column: 14), part: "states[2].power"),
    cause: "a number is expected", remedy: "write it without quotes")

  @Test("a problem is printed as one line with its location, cause and remedy, without empty parts")
  func lines() {
    #expect(
      wrong.description
        == "phone.json:3:14: states[2].power: a number is expected; write it without quotes")
    #expect(wrong.statement == "phone.json:3:14: states[2].power: a number is expected")
    #expect(Problem(.truncated, cause: "it ends early").description == "it ends early")
    let byte = Problem(
      .corrupt, place: Problem.Place("a.journal", byte: 4096), cause: "its checksum is wrong")
    #expect(byte.description == "a.journal: at byte 4096: its checksum is wrong")
  }

  @Test("`at` adds a place in front of the locations of a problem and its further problems")
  func places() {
    #expect(Problem(.truncated, cause: "it ends early").at("state").description == "state: it ends early")
    let two = Problem(all: [wrong, Problem(.truncated, place: "b", cause: "it ends early")]).at("site.json")
    #expect(two.all.map(\.place.name).allSatisfy { $0.hasPrefix("site.json: ") }, "\(two)")
    #expect(two.at("").place == two.place)
  }

  @Test(
    "several problems are sorted by line and column, and combined problems become one list without nesting"
  )
  func several() {
    let first = Problem(.value, place: Problem.Place("p", at: TextLocation(line: 2, column: 9)), cause: "one")
    let nested = Problem(all: [wrong, first])
    let all = Problem(all: [nested, Problem(.empty, place: "p", cause: "none")])
    #expect(all.all.map(\.cause) == ["none", "one", "a number is expected"])
    #expect(all.description.split(separator: "\n").count == 3)
    #expect(all.all.allSatisfy { $0.others.isEmpty })
  }

  @Test("wrong content is a finding; a failure of the system or of the request is no finding")
  func findings() {
    #expect(wrong.isFinding)
    let absent = Problem(.notFound, place: "p", cause: "there is no such file")
    #expect(!absent.isFinding)
    #expect(!Problem(all: [wrong, absent]).isFinding)
    let unknown = Problem(.unknownName, place: "--scenario", cause: "there is no such scenario")
    #expect(!unknown.isFinding)
    let member = Problem(
      .unknownName, place: Problem.Place("p", at: TextLocation(line: 1, column: 2)), cause: "no member")
    #expect(member.isFinding)
  }
}
