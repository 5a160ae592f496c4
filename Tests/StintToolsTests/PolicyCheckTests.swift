import StintCompiler
import StintFormats
import StintLanguage
import StintModel
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

@Suite("Checking policies")
struct PolicyCheckTests {
  private static func check(
    _ text: String, file: String = "a.stint", limits: CostLimits = CostLimits()
  ) throws -> PolicyCheck {
    PolicyCheck(
      [SourceText(file: file, text: text)], vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()),
      limits: limits)
  }

  static let good = """
    policy "good" version 3

    use location.gnss as gps

    let low = battery.level < 20 %

    rule saver while low {
      downgrade gps to 100 m
    }
    """

  @Test("control and direction characters in a file name are escaped in messages")
  func fileName() throws {
    for text in [Self.good, "policy"] {
      let check = try Self.check(text, file: "w\u{202E}\u{1B}[36m.stint").text()
      #expect(check.contains(#"w\u{202E}\u{1B}[36m.stint"#))
      #expect(!check.unicodeScalars.contains("\u{202E}") && !check.unicodeScalars.contains("\u{1B}"))
    }
  }

  @Test("a device whose positions decide about a zone counts as used; an unused device is reported")
  func deciders() throws {
    let check = try Self.check(
      """
      policy "p"
      use location.gnss as gps
      use radio.cellular as cell
      zone home = circle 47.05 8.31 radius 150 m
      rule a when inside(home) { emit "home" }
      """)
    #expect(check.diagnostics.filter { $0.code == .unused }.map(\.title) == ["nothing uses “cell”"])
  }

  @Test("a device counts as used when its activity is read for a circular zone")
  func activityOfZones() throws {
    func unused(_ items: String) throws -> [String] {
      try Self.check("policy \"p\"\nuse motion.accelerometer as accel required\n\(items)\n").diagnostics
        .filter { $0.code == .unused }.map(\.title)
    }
    let zone = "zone home = circle 47.05 8.31 radius 150 m\n"
    #expect(try unused(zone + "rule a when enter(home) { emit \"home\" }").isEmpty)
    #expect(try unused("rule a when screen.on { emit \"on\" }") == ["nothing uses “accel”"])
  }

  @Test("the report of a valid policy has a summary and the cost of running it")
  func good() throws {
    let check = try Self.check(Self.good)
    #expect(!check.hasErrors)
    #expect(check.cost?.stateSlots == 0)
    #expect(check.text().hasPrefix("a.stint  version 3   1 rule, 1 device, 1 let\n  cost     worst step "))
    #expect(check.json["files"]?.items?.first?["policy"]?.string == "good")
    #expect(check.json["diagnostics"]?.items?.isEmpty == true)
    #expect(try check.accepted() == check)
  }

  @Test("an invalid policy is refused with all problems, their lines and columns")
  func bad() throws {
    let text = Self.good + "\nrule broken while batery.level below 10 % {\n  downgrade gps to 10 s\n}\n"
    let check = try Self.check(text)
    #expect(check.hasErrors)
    #expect(check.cost == nil)
    #expect(check.count(.error) == 2)
    #expect(check.text().contains("a.stint:10:19: error[P0201]"))
    #expect(check.text().hasSuffix("2 errors, 0 warnings; see stint explain P0201"))
    let first = check.json["diagnostics"]?.items?.first
    #expect(first?["code"]?.string == "P0201")
    #expect(first?["severity"]?.string == "error")
    #expect(first?["labels"]?.items?.first?["line"]?.integer == 10)
    #expect(first?["labels"]?.items?.first?["column"]?.integer == 19)
    #expect(first?["labels"]?.items?.first?["end_column"]?.integer == 31)
    #expect(throws: PolicyRefusal(check: check)) { try check.accepted() }
  }

  @Test("policies above a cost limit are refused, and the error is at the rule with the highest cost")
  func limits() throws {
    let text =
      Self.good
      + "\nrule dear while not screen.on for 1 min and low for 2 min {\n  downgrade gps to 50 m\n}\n"
    let cost = try #require(try Self.check(text).cost)
    #expect(cost.stateSlots == 2)
    let exact = CostLimits(instructions: cost.worstStep, slots: cost.stateSlots)
    #expect(try !Self.check(text, limits: exact).hasErrors)
    let check = try Self.check(text, limits: CostLimits(instructions: cost.worstStep - 1, slots: 1))
    #expect(check.diagnostics.filter { $0.severity == .error }.map(\.code) == [.tooCostly, .tooCostly])
    #expect(check.text().contains("a.stint:10:6: error[P0602]"))
    #expect(throws: PolicyRefusal(check: check)) { try check.accepted() }
  }

  @Test(
    "wrong input causes diagnostics and no crash",
    arguments: [
      "", "\u{0}\u{1}\u{2}", "policy", "}", String(repeating: "(", count: 50_000), "policy \"x\" rule",
    ])
  func garbage(text: String) throws {
    let check = try Self.check(text)
    #expect(check.hasErrors)
    #expect(!check.text().isEmpty)
    #expect(!JSONWriter.text(of: check.json).isEmpty)
  }

  @Test("a file of any single byte, and a policy followed by any single byte, are parsed to their end")
  func everyByte() {
    for byte in UInt8.min...UInt8.max {
      for start in ["", "policy \"x\" version 1\nlet a = 1 "] {
        let source = SourceText(file: "a.stint", bytes: Array(start.utf8) + [byte])
        #expect(PolicyCheck([source], vocabulary: Vocabulary(manifests: [])).summaries.count == 1)
      }
    }
  }

  @Test("the shipped policies have neither errors nor warnings", arguments: shipped)
  func shippedPolicies(path: String) throws {
    let check = PolicyCheck(
      try PolicyFiles.read([path]), vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()))
    #expect(check.count(.error) == 0 && check.count(.warning) == 0, "\(check.text())")
    #expect(check.summaries.first?.rules ?? 0 >= 1)
  }

  @Test("all shipped policies load together")
  func shippedTogether() throws {
    let sources = try PolicyFiles.read([Repository.path("policies")])
    #expect(sources.count == Self.shipped.count)
    #expect(
      !PolicyCheck(sources, vocabulary: Vocabulary(manifests: try ReferencePhone.manifests())).hasErrors)
  }

  static let shipped = [
    "camera-trap", "cold-chain", "collar", "courier", "drone-station", "ebike", "fleet", "hiking",
    "home-presence",
    "ladder", "mail", "motion-change", "motion-stream", "sync", "track-100", "track-50", "warehouse",
    "wearable",
  ].map {
    Repository.path("policies/\($0).stint")
  }

  @Test("a missing file is an input error, not a finding")
  func missing() {
    #expect(throws: Problem.self) { try PolicyFiles.read(["/nowhere/x.stint"]) }
    do {
      _ = try PolicyFiles.read(["/nowhere/x.stint"])
    } catch {
      #expect(!error.isFinding)
      #expect(error.description == "/nowhere/x.stint: there is no such file or folder; check the spelling")
    }
  }

  @Test("a path given twice is read once")
  func twice() throws {
    #expect(
      try PolicyFiles.expand([Self.shipped[0], Repository.path("policies")]).count == Self.shipped.count)
  }

  @Test("a folder without policies or manifests is an error")
  func emptyFolder() {
    #expect(throws: Problem.self) { try PolicyFiles.read([Repository.path(".ci")]) }
    #expect(throws: Problem.self) {
      try PolicyDevices(site: nil, manifests: Repository.path(".ci"), linked: [])
    }
  }

  @Test("problems of a manifest are findings with their positions")
  func brokenManifest() {
    let broken = Problem(all: [
      Problem(
        .value,
        place: Problem.Place("a.json", at: TextLocation(line: 3, column: 14), part: "states[2].power"),
        cause: "it is negative", remedy: "write 0 W or more"),
      Problem(
        .missing, place: Problem.Place("a.json", at: TextLocation(line: 1, column: 1)), cause: "no device"),
    ])
    let error = broken
    #expect(error.isFinding)
    #expect(
      error.description
        == "a.json:1:1: no device\na.json:3:14: states[2].power: it is negative; write 0 W or more")
    let missing = Problem(.notFound, place: "a.json", cause: "it is not there")
    #expect(!missing.isFinding)
  }
}
