extension Parser {
  /// The words that begin the event of a test step.
  private static let events = ["set", "attach", "detach", "reload"]

  mutating func test(_ start: Int) -> TestItem {
    let title = string("a title for the test, in quotes")
    let hasHead = !isLost && token.isSymbol(.openBrace)
    let steps = isLost ? [] : block(of: ["given", "at", "expect"], "given, at, expect") { $0.testStep() }
    return TestItem(title: title, steps: steps, isBroken: !hasHead, span: span(from: start))
  }

  private mutating func testStep() -> TestStep {
    let start = token.span.start
    let kind: TestStep.Kind
    if consume(word: "given") {
      kind = .given(assignments())
    } else if consume(word: "at") {
      // A time may be a parameter whose name is the word of an event: the first word of `at reload reload` is
      // such a time. In `at reload`, the time is missing.
      let isEvent = Self.events.contains { isWord($0) } && !Self.events.contains { isAheadWord($0) }
      let instant = quantity("a time since the test began", isLiteral: isEvent)
      kind = .at(instant, event())
    } else {
      expect(word: "expect")
      kind = expectation()
    }
    return TestStep(kind: kind, span: span(from: start))
  }

  private mutating func event() -> TestStep.Event {
    if consume(word: "set") { return .set(assignments()) }
    if consume(word: "attach") {
      let client = string("the client's name in quotes")
      let device = consume(word: "on") ? path("a device") : nil
      return .attach(client, device: device, settings: consume(word: "with") ? settings() : [])
    }
    if consume(word: "detach") { return .detach(string("the client's name in quotes")) }
    if consume(word: "reload") { return .reload }
    reportExpected("set, attach, detach or reload")
    return .missing
  }

  private mutating func expectation() -> TestStep.Kind {
    let condition = expression()
    var moment: TestStep.Moment?
    if isWord("at") {
      moment = instant()
    } else if consume(word: "by") {
      moment = .by(quantity("a time since the test began"))
    }
    return .expect(condition, moment, because: consume(word: "because") ? rulePath() : nil)
  }

  /// Parses `at 5 s` after an expectation, unless this `at` begins the next step.
  private mutating func instant() -> TestStep.Moment? {
    let before = self
    expect(word: "at")
    let literal = quantity("a time since the test began")
    if Self.events.contains(where: { isWord($0) }) {
      self = before
      return nil
    }
    return .at(literal)
  }

  private mutating func assignments() -> [TestStep.Assignment] {
    var assignments: [TestStep.Assignment] = []
    repeat {
      let path = path("a fact")
      expect(.assign)
      assignments.append(TestStep.Assignment(path: path, value: value("a value for “\(path.text)”")))
    } while !isLost && consume(.comma)
    return assignments
  }
}
