import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Evaluation line by line")
struct PolicyEvaluationTests {
  private let temporaryFiles = TemporaryFiles()

  private func evaluation(_ text: String, isIncremental: Bool = false) throws -> PolicyEvaluation {
    let path = try temporaryFiles.file(
      "eval.stint",
      "policy \"eval\" version 1\nuse location.gnss as gps\ndefault gps { accuracy 10 m }\n" + text)
    return try PolicyEvaluation(
      policies: [path], vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()), timeZone: nil,
      isIncremental: isIncremental)
  }

  private func decide(_ evaluation: inout PolicyEvaluation, _ line: String) throws -> String {
    try evaluation.decide(Array(line.utf8)[...])
  }

  private static let saver =
    "rule saver while battery.level below 20 % release 25 % { downgrade gps to 50 m }\n"

  @Test("the answer to a line of facts contains settings, rules, and the unchanged time of the line")
  func answer() throws {
    var saver = try evaluation(Self.saver)
    #expect(
      try decide(&saver, #"{"at": 1.5, "facts": {"battery.level": 0.5}}"#)
        == #"{"at":1.5,"settings":{"gps":{"on":true,"standing":"served","accuracy":10.0,"rate":1.0}},"rules":[]}"#
    )
  }

  @Test(
    "a value is in base units or has a unit, a fact may be named by a device alias, and null means unknown")
  func values() throws {
    var rules = try evaluation(
      "rule low while battery.level < 20 % { stop gps }\nrule poor while gps.accuracy > 50 m { downgrade gps to 80 m }\n"
        + "rule lost while not known(gps.accuracy) { downgrade gps to 90 m }\n", isIncremental: true)
    let lines = [
      (#"{"at": 0, "facts": {"battery.level": 0.1}}"#, #""rules":["low","lost"]}"#),
      (#"{"at": 1, "facts": {"battery.level": "30 %", "gps.accuracy": 60}}"#, #""rules":["poor"]}"#),
      (#"{"at": 2, "facts": {"location.gnss.accuracy": "4 m"}}"#, #""rules":[]}"#),
      (#"{"at": 3, "facts": {"gps.accuracy": null}}"#, #""rules":["lost"]}"#),
    ]
    for (line, end) in lines {
      let answer = try decide(&rules, line)
      #expect(answer.hasSuffix(end), "\(line) → \(answer)")
    }
  }

  @Test("a fact that is missing in a line is unknown, or unchanged in incremental mode")
  func increments() throws {
    for (isIncremental, rules) in [(false, "[]"), (true, #"["low"]"#)] {
      var low = try evaluation(
        "rule low while battery.level < 20 % { stop gps }\n", isIncremental: isIncremental)
      _ = try decide(&low, #"{"at": 0, "facts": {"battery.level": 0.1}}"#)
      let second = try decide(&low, #"{"at": 1, "facts": {"motion.activity": "walking"}}"#)
      #expect(second.hasSuffix("\"rules\":\(rules)}"), "\(second)")
    }
  }

  @Test("timers and latches continue from line to line")
  func time() throws {
    var rules = try evaluation(
      Self.saver + "rule still while motion.activity is still for 80 s { pause gps }\n", isIncremental: true)
    let lines = [
      (#"{"at": 0, "facts": {"battery.level": 0.19, "motion.activity": "still"}}"#, #"["saver"]"#),
      (#"{"at": 79, "facts": {"battery.level": 0.22}}"#, #"["saver"]"#),
      (#"{"at": 80, "facts": {}}"#, #"["saver","still"]"#),
      (#"{"at": 81, "facts": {"battery.level": 0.3, "motion.activity": "walking"}}"#, "[]"),
    ]
    for (line, names) in lines {
      let answer = try decide(&rules, line)
      #expect(answer.hasSuffix("\"rules\":\(names)}"), "\(line) → \(answer)")
    }
  }

  @Test("each of a thousand lines at one instant is evaluated with its own facts")
  func pace() throws {
    var poor = try evaluation("rule poor while gps.accuracy > 50 m { stop gps }\n")
    for number in 0..<1000 {
      let answer = try decide(&poor, #"{"at": 7, "facts": {"gps.accuracy": \#(number % 2 == 0 ? 60 : 40)}}"#)
      #expect(answer.contains("\"poor\"") == (number % 2 == 0), "line \(number)")
    }
  }

  @Test("a rule with a one-time action is listed at the line where it acts")
  func acts() throws {
    var rules = try evaluation("rule low when battery.level < 20 % { emit \"low\" }\n", isIncremental: true)
    let first = try decide(&rules, #"{"at": 0, "facts": {"battery.level": 0.5}}"#)
    let second = try decide(&rules, #"{"at": 1, "facts": {"battery.level": 0.1}}"#)
    #expect(first.hasSuffix(#""rules":[]}"#) && second.hasSuffix(#""rules":["low"]}"#))
  }

  @Test(
    "an invalid line is rejected with a cause and a remedy, and does not affect the next line",
    arguments: [
      "nonsense", "[1]", "{}", #"{"at": "now", "facts": {}}"#, #"{"at": 1e300, "facts": {}}"#, #"{"at": 5}"#,
      #"{"at": 5, "facts": {"battery.level": 1e999}}"#, #"{"at": 5, "facts": {"battery.level": 1.5}}"#,
      #"{"at": 5, "facts": {"battery.level": "3 m"}}"#, #"{"at": 5, "facts": {"battery.level": true}}"#,
      #"{"at": 5, "facts": {"battery.level": [0.5]}}"#, #"{"at": 5, "facts": {"nothing.here": 1}}"#,
      #"{"at": 5, "facts": {"battery.level": 0.1, "battery.level": 0.2}}"#, #"{"at": -1, "facts": {}}"#,
      #"{"at": 5, "facts": {}, "fact": {}}"#, #"{"at": 5, "facts": {"motion.activity": "flying"}}"#,
    ])
  func refused(line: String) throws {
    var saver = try evaluation(Self.saver, isIncremental: true)
    _ = try decide(&saver, #"{"at": 0, "facts": {"battery.level": 0.5}}"#)
    let fault = #expect(throws: Problem.self) { try decide(&saver, line) }
    #expect(fault?.cause.isEmpty == false && fault?.remedy.isEmpty == false)
    let next = try decide(&saver, #"{"at": 1, "facts": {}}"#)
    #expect(next.hasSuffix(#""rules":[]}"#))
  }

  @Test("a policy with errors and a missing file are rejected before the first line")
  func policies() throws {
    #expect(throws: PolicyRefusal.self) { try evaluation("rule x while nonsense > 3 m { stop gps }\n") }
    #expect(throws: Problem.self) {
      try PolicyEvaluation(
        policies: ["/no/such.stint"], vocabulary: Vocabulary(manifests: try ReferencePhone.manifests()),
        timeZone: nil, isIncremental: false)
    }
  }

  @Test(
    "an age counts from the last line with the fact; without --incremental, other lines make the age unknown"
  )
  func ages() throws {
    let rules = """
      rule old while age(battery.level) > 2 min { pause gps }
      rule due while age(battery.level) >= 2 min { pause gps }
      rule young while age(battery.level) < 30 s { pause gps }

      """
    for (isIncremental, expected) in [
      (true, ["young", "", "due", "young", "", "old,due"]), (false, ["young", "", "", "young", "", ""]),
    ] {
      var evaluation = try evaluation(rules, isIncremental: isIncremental)
      for (place, line) in [
        #"{"at": 0, "facts": {"battery.level": 0.8}}"#, #"{"at": 119, "facts": {}}"#,
        #"{"at": 120, "facts": {}}"#, #"{"at": 121, "facts": {"battery.level": 0.8}}"#,
        #"{"at": 240.5, "facts": {}}"#, #"{"at": 241.5, "facts": {}}"#,
      ].enumerated() {
        let names = expected[place].split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
        #expect(try decide(&evaluation, line).hasSuffix("\"rules\":[\(names)]}"), "line \(place + 1)")
      }
    }
  }
}
