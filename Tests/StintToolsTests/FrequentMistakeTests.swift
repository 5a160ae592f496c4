import StintLanguage
import StintModel
import StintSimulation
import StintTools
import Testing

@Suite("Frequent mistakes in conditions")
struct FrequentMistakeTests {
  /// Conditions with a frequent mistake, each with a part of the hint that its only diagnostic must contain.
  private static let mistakes = [
    ("powered(gps)", "did you mean “gps.powered”?"),
    ("gps.nothing > 3 m", "gps.failed"),
    ("gps.nothing > 3 m", "gps.powered"),
    ("starts(gps) > 60", "did you mean “60 per h”?"),
    ("age(gps.accuracy) > 5 m", "did you mean “5 min”?"),
    ("trip.idle", "did you mean “trip is idle”?"),
    ("trip.lost", "its states are idle, moving"),
    ("accel.activity is still", "did you mean “motion.activity”?"),
    ("motion.activity is not [still, walking]", "not motion.activity in [a, b]"),
    ("motion.activity is [still, walking]", "motion.activity in [a, b]"),
    ("known(gps)", "as in: known(gps."),
    ("age(cell) > 5 min", "as in: age(net.throughput)"),
  ]

  @Test(
    "a frequent mistake causes one diagnostic with the right form; names in the condition count as used",
    arguments: mistakes.indices)
  func mistake(number: Int) throws {
    let (condition, hint) = Self.mistakes[number]
    let text = """
      policy "p" version 1
      use location.gnss as gps
      use motion.accelerometer as accel
      use radio.cellular as cell
      machine trip starts idle {
        state idle { goto moving when accel.on }
        state moving { goto idle when gps.speed < 1 m/s and not accel.on }
      }
      rule r while \(condition) { pause cell }
      """
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let found = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary).diagnostics
    #expect(found.count == 1, "\(found.map(\.title))")
    #expect(found.first?.hint?.contains(hint) == true, "\(found.first?.hint ?? "no hint")")
  }

  @Test(
    "the hint proposes the declared name that resembles an unknown name; this declared name counts as used",
    arguments: [
      ("zone h = circle 47 8 radius 100 m", "inside(hme)", "h"),
      ("zone home = circle 47 8 radius 100 m", "inside(hme)", "home"),
      ("let h = screen.on", "hme", "h"), ("let home = screen.on", "hme", "home"),
      ("schedule h = 10:00..11:00", "time in hme", "h"), ("let homeward = screen.on", "home", "homeward"),
      ("use location.gnss as gps", "gpz.speed > 3 m/s", "gps.speed"),
    ])
  func similar(declaration: String, condition: String, name: String) throws {
    let text = """
      policy "p" version 1
      \(declaration)
      rule r while \(condition) { pause radio.cellular }
      """
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let found = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary).diagnostics
    #expect(found.count == 1, "\(found.map(\.title))")
    #expect(found.first?.hint == "did you mean “\(name)”?")
  }

  @Test("a similar name of another device is proposed, but `check --fix` does not insert it")
  func otherDevice() throws {
    func fixes(_ name: String) throws -> [(hint: String?, isFixed: Bool)] {
      let text = """
        policy "p" version 1
        use location.wifi as coarse
        rule r while \(name) > 50 m { pause radio.cellular }
        """
      let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
      return PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary).diagnostics
        .filter { $0.severity == .error }.map { ($0.hint, $0.fix != nil) }
    }
    let other = try fixes("place.accuracy")
    #expect(other.map(\.hint) == ["did you mean “coarse.accuracy”?"] && other.map(\.isFixed) == [false])
    let typo = try fixes("coarse.acuracy")
    #expect(typo.map(\.hint) == ["did you mean “coarse.accuracy”?"] && typo.map(\.isFixed) == [true])
  }

  @Test("two names that equally resemble an unknown name count as used; a different name counts as unused")
  func ties() throws {
    let text = """
      policy "p" version 1
      let home = screen.on
      let hole = screen.on
      let other = screen.on
      rule r while hoe { pause radio.cellular }
      """
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let found = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary).diagnostics
    #expect(found.map(\.code.name) == ["W0202", "P0201"])
    #expect(found.first?.title == "nothing uses “other”")
  }

  @Test(
    "an alias in a wrong condition counts as used; an alias that occurs nowhere is reported as unused")
  func unused() throws {
    let text = """
      policy "p" version 1
      use location.gnss as gps
      use motion.accelerometer as accel
      rule r while powered2(gps) { pause radio.cellular }
      """
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let found = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary).diagnostics
    #expect(found.map(\.code.name) == ["W0202", "P0206"])
  }
}
