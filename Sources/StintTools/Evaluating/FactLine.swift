import StintFormats
import StintLanguage
import StintModel
import StintUnits

/// One line of facts: `{"at": SECONDS, "facts": {"battery.level": 0.19, ...}}`.
struct FactLine {
  /// The time exactly as in the input, because the output repeats it.
  var time: JSONValue
  var instant: Instant
  var facts: [(number: Int, value: FactValue)]

  init(_ bytes: ArraySlice<UInt8>, names: FactNames) throws(Problem) {
    let value: JSONValue
    do { value = try JSONReader.value(of: Array(bytes), source: "") } catch {
      throw Problem(.content, cause: error.cause, remedy: error.remedy.isEmpty ? Self.example : error.remedy)
    }
    guard let members = value.members else {
      throw Problem(.content, cause: "expected an object, found \(value.kind)", remedy: Self.example)
    }
    if let other = members.first(where: { $0.name != "at" && $0.name != "facts" }) {
      throw Problem(
        .content, cause: "unknown member “\(other.name)”; a line has “at” and “facts”", remedy: Self.example)
    }
    guard let time = value["at"], let seconds = time.number else {
      throw Problem(.content, cause: "“at” must be a number of seconds", remedy: Self.example)
    }
    guard let instant = Self.instant(time, seconds) else {
      throw Problem(.content, cause: "“at” is out of range", remedy: "give seconds since 1970")
    }
    guard let facts = value["facts"]?.members else {
      throw Problem(.content, cause: "“facts” must be an object", remedy: Self.example)
    }
    self.time = JSONValue(time.content)
    self.instant = instant
    self.facts = []
    self.facts.reserveCapacity(facts.count)
    for fact in facts { self.facts.append(try names.fact(fact.name, fact.value)) }
  }

  private static let example = #"write it as {"at": 0, "facts": {"battery.level": 0.19}}"#

  private static func instant(_ time: JSONValue, _ seconds: Double) -> Instant? {
    if let whole = time.integer {
      let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000_000_000)
      return overflow ? nil : Instant(nanoseconds: product)
    }
    return Int64(exactly: (seconds * 1e9).rounded()).map { Instant(nanoseconds: $0) }
  }
}
