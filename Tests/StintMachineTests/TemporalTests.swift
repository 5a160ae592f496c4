import StintMachine
import StintModel
import StintUnits
import Testing

@Suite("Temporal operators")
struct TemporalTests {
  /// Evaluates a condition on fact 0 once per second. Each letter of `facts` is the fact's value in one
  /// second: true (`t`), false (`f`) or unknown (`u`). The result has one letter per second too.
  private func results(_ facts: String, _ slot: ImageSlot.Kind, _ instruction: Instruction) throws -> String {
    var assembled = try AssembledVM([.fact(0), instruction], slots: [slot])
    let values: [Character: FactValue] = ["t": .boolean(true), "f": .boolean(false)]
    return String(
      facts.enumerated().map { second, letter -> Character in
        switch assembled.truth([values[letter] ?? .unknown], at: Int64(second)) {
        case .yes: "t"
        case .no: "f"
        case .unknown: "u"
        }
      })
  }

  @Test(
    "`for 3 s` is true from exactly 3 s after its operand became true; an unknown value restarts the span",
    arguments: [
      ("fttttttf", "fffftttf"), ("ttuttttt", "ffuffftt"), ("uuuttttu", "uuuffftu"), ("tttf", "ffff"),
    ])
  func holds(facts: String, expected: String) throws {
    #expect(try results(facts, .heldFor(.seconds(3), tolerate: nil), .heldFor(0)) == expected)
  }

  @Test(
    "`for 3 s tolerate 2 s` ignores unknown values for 2 s but not for 3 s, and ignores no false value",
    arguments: [("ttuutt", "fffttt"), ("ttuuutttt", "fffttffft"), ("ttfttt", "ffffff"), ("uttuut", "uffftt")])
  func tolerates(facts: String, expected: String) throws {
    let answers = try results(facts, .heldFor(.seconds(3), tolerate: .seconds(2)), .heldFor(0))
    #expect(answers == expected)
  }

  @Test(
    "`in last 3 s` is true until exactly 3 s after the operand was last true",
    arguments: [
      ("ftfffff", "fttttff"), ("ftuuuuf", "fttttuf"), ("uffffff", "uffffff"), ("tffffft", "ttttfft"),
    ])
  func remembers(facts: String, expected: String) throws {
    let answers = try results(facts, .inLast(.seconds(3)), .inLast(0))
    #expect(answers == expected)
  }

  @Test(
    "a latch becomes true beyond its threshold and false beyond its release, and is unchanged at both limits"
  )
  func latches() throws {
    for side in LatchSide.allCases {
      var assembled = try AssembledVM(
        [.fact(0), .constant(0), .constant(1), .latch(0)], constants: side == .below ? [20, 25] : [25, 20],
        slots: [.latch(side)])
      let levels: [Double?] =
        side == .below
        ? [20, 19.9, 22, 25, nil, 25, 25.1, 22, 20] : [25, 25.1, 22, 20, nil, 20, 19.9, 22, 25]
      let expected: [Truth] = [.no, .yes, .yes, .yes, .unknown, .yes, .no, .no, .no]
      #expect(levels.map { assembled.truth([$0.map { .number($0) } ?? .unknown]) } == expected)
    }
  }
}

@Suite("Windows")
struct WindowTests {
  /// Publishes one value per second, or no value where `values` has nil, and checks the statistic
  /// each second.
  private func follow(
    _ function: WindowFunction, _ values: [Double?], capacity: Int = 16, expected: [Double?]
  ) throws {
    for (count, wanted) in expected.enumerated() {
      var assembled = try AssembledVM(
        [.window(0), .constant(0), .compare(.equal)], constants: [wanted ?? 0],
        slots: [.window(function, fact: 0, .seconds(3), capacity: capacity)])
      var truth = Truth.no
      for (second, value) in values.prefix(count + 1).enumerated() {
        truth = assembled.truth(value.map { [.number($0)] } ?? [], at: Int64(second))
      }
      #expect(truth == (wanted == nil ? .unknown : .yes), "\(function), second \(count)")
    }
  }

  @Test("a window of 3 s contains the samples that are less than 3 s old")
  func statistics() throws {
    let values: [Double?] = [4, 1, 7, nil, nil, nil]
    try follow(.count, values, expected: [1, 2, 3, 2, 1, 0])
    try follow(.rate, values, expected: [1.0 / 3, 2.0 / 3, 1, 2.0 / 3, 1.0 / 3, 0])
    try follow(.avg, values, expected: [4, 2.5, 4, 4, 7, nil])
    try follow(.min, values, expected: [4, 1, 1, 1, 7, nil])
    try follow(.max, values, expected: [4, 4, 7, 7, 7, nil])
    try follow(.spread, values, expected: [0, 3, 6, 6, 0, nil])
  }

  @Test("a trend needs three values and is the change over the span of the window")
  func trends() throws {
    try follow(.trend, [1, 2, 3, 4, nil], expected: [nil, nil, 3, 3, nil])
    try follow(.trend, [5, 5, 5], expected: [nil, nil, 0])
    try follow(.trend, [9, 7, 5], expected: [nil, nil, -6])
  }

  @Test("a full window drops its oldest sample")
  func drops() throws {
    try follow(.min, [1, 2, 3], capacity: 2, expected: [1, 1, 2])
    try follow(.count, [1, 2, 3], capacity: 2, expected: [1, 2, 2])
  }

  @Test("a repeated value counts as a sample; an unknown value does not")
  func counts() throws {
    var assembled = try AssembledVM(
      [.window(0), .constant(0), .compare(.equal)], constants: [2],
      slots: [.window(.count, fact: 0, .seconds(3), capacity: 16)])
    #expect(assembled.truth([.number(1)], at: 0) == .no)
    #expect(assembled.truth([.unknown], at: 1) == .no)
    #expect(assembled.truth([.number(1)], at: 2) == .yes)
  }

  @Test("a statistic that overflows is unknown")
  func overflows() throws {
    try follow(.spread, [-1e308, 1e308], expected: [0, nil])
    try follow(.avg, [1e308, 1e308], expected: [1e308, nil])
  }
}
