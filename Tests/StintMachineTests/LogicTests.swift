import StintMachine
import StintModel
import Testing

@Suite("Three-valued logic")
struct LogicTests {
  static let values: [FactValue] = [.boolean(false), .unknown, .boolean(true)]
  static let pairs = values.flatMap { left in values.map { (left, $0) } }
  static let truths: [FactValue: Truth] = [.boolean(false): .no, .unknown: .unknown, .boolean(true): .yes]

  private func table(_ code: [Instruction]) throws -> [Truth] {
    var assembled = try AssembledVM(code)
    return Self.pairs.map { assembled.truth([$0, $1]) }
  }

  @Test("`and` gives the minimum of two operands, and `or` gives the maximum, with no < unknown < yes")
  func joins() throws {
    #expect(
      try table([.fact(0), .fact(1), .and]) == [.no, .no, .no, .no, .unknown, .unknown, .no, .unknown, .yes])
    #expect(
      try table([.fact(0), .fact(1), .or]) == [
        .no, .unknown, .yes, .unknown, .unknown, .yes, .yes, .yes, .yes,
      ])
  }

  @Test("`not` negates a Boolean and keeps unknown")
  func negates() throws {
    var assembled = try AssembledVM([.fact(0), .not])
    #expect(Self.values.map { assembled.truth([$0]) } == [.yes, .unknown, .no])
  }

  @Test("the comparison of two Booleans is unknown unless both are known")
  func comparesTruths() throws {
    #expect(
      try table([.fact(0), .fact(1), .compare(.equal)])
        == [.yes, .unknown, .no, .unknown, .unknown, .unknown, .no, .unknown, .yes])
  }

  @Test("`known` gives yes or no, never unknown")
  func asksWhatIsKnown() throws {
    var assembled = try AssembledVM([.known(0)])
    #expect(Self.values.map { assembled.truth([$0]) } == [.yes, .no, .yes])
  }

  @Test(
    "numbers compare by value, and a comparison with unknown is unknown",
    arguments: [
      (Comparison.less, [Truth.yes, .no, .no]), (.lessOrEqual, [.yes, .yes, .no]),
      (.greater, [.no, .no, .yes]),
      (.greaterOrEqual, [.no, .yes, .yes]), (.equal, [.no, .yes, .no]), (.notEqual, [.yes, .no, .yes]),
    ])
  func comparesNumbers(comparison: Comparison, expected: [Truth]) throws {
    var assembled = try AssembledVM([.fact(0), .constant(0), .compare(comparison)], constants: [2])
    #expect([1.0, 2, 3].map { assembled.truth([.number($0)]) } == expected)
    #expect(assembled.truth([.unknown]) == .unknown)
    assembled = try AssembledVM([.compareFact(0, comparison, constant: 0)], constants: [2])
    #expect([1.0, 2, 3].map { assembled.truth([.number($0)]) } == expected)
    #expect(assembled.truth([.unknown]) == .unknown)
  }

  @Test("arithmetic gives the exact result; a result that is not finite is unknown")
  func calculates() throws {
    let cases: [(Arithmetic, Double, Double, Double?)] = [
      (.add, 1, 2, 3), (.subtract, 1, 2, -1), (.multiply, 3, 4, 12), (.divide, 1, 4, 0.25),
      (.divide, 1, 0, nil), (.larger, 1, 2, 2), (.larger, 2, 1, 2), (.smaller, 1, 2, 1), (.smaller, 2, 1, 1),
      (.divide, 0, 0, nil), (.multiply, 1e308, 10, nil), (.add, 1e308, 1e308, nil),
    ]
    for (operation, left, right, result) in cases {
      var assembled = try AssembledVM(
        [.fact(0), .fact(1), .arithmetic(operation), .constant(0), .compare(.equal)], constants: [result ?? 0]
      )
      #expect(assembled.truth([.number(left), .number(right)]) == (result == nil ? .unknown : .yes))
    }
  }

  @Test("`one of` finds a symbol in a list, and is unknown for an unknown symbol")
  func finds() throws {
    var assembled = try AssembledVM([.fact(0), .oneOf(first: 1, count: 2)], constants: [0, 1, 3])
    #expect((0...3).map { assembled.truth([.symbol($0)]) } == [.no, .yes, .no, .yes])
    #expect(assembled.truth([.unknown]) == .unknown)
  }
}
