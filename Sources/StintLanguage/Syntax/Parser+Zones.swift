extension Parser {
  mutating func zone(_ start: Int) -> ZoneItem {
    let name = name("a name for the zone")
    expect(.assign)
    var zone = ZoneItem(name: name, shape: shape(), span: span(from: start))
    while !isLost {
      if isWord("enter_after"), zone.enterAfter == nil {
        advance()
        zone.enterAfter = quantity("a span of time")
      } else if isWord("exit_after"), zone.exitAfter == nil {
        advance()
        zone.exitAfter = quantity("a span of time")
      } else {
        break
      }
    }
    zone.span = span(from: start)
    return zone
  }

  private mutating func shape() -> ZoneItem.Shape {
    if consume(word: "circle") {
      let latitude = bareNumber("the latitude in degrees", mayBeNegative: true)
      let longitude = bareNumber("the longitude in degrees", mayBeNegative: true)
      expect(word: "radius")
      return .circle(latitude: latitude, longitude: longitude, radius: quantity("the radius"))
    }
    if consume(word: "beacon") {
      let identity = string("the beacon's identity in quotes")
      let major = consume(word: "major") ? bareNumber("an integer") : nil
      let minor = consume(word: "minor") ? bareNumber("an integer") : nil
      return .beacon(identity, major: major, minor: minor)
    }
    reportExpected("circle or beacon")
    return .missing
  }

  /// Parses a number without a unit. A minus sign is accepted only with `mayBeNegative`.
  private mutating func bareNumber(_ what: String, mayBeNegative: Bool = false) -> NumberLiteral {
    let start = token.span.start
    let isNegative = mayBeNegative && consume(.minus)
    guard !isLost, token.kind == .number else {
      reportExpected(what)
      return NumberLiteral(value: 0, span: token.span)
    }
    switch numeric() {
    case .number(let literal):
      return NumberLiteral(value: isNegative ? -literal.value : literal.value, span: span(from: start))
    default:
      report(.unexpected, "expected \(what), without a unit", span(from: start))
      return NumberLiteral(value: 0, span: span(from: start))
    }
  }
}
