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
    ("trip.lost", "they are idle, moving"),
    ("accel.activity is still", "did you mean “motion.activity”?"),
    ("motion.activity is not [still, walking]", "not motion.activity in [a, b]"),
    ("motion.activity is [still, walking]", "motion.activity in [a, b]"),
    ("known(gps)", "as in: known(gps."),
    ("age(cell) > 5 min", "as in: age(net.throughput)"),
  ]

  @Test(
    "a frequent mistake has one diagnostic, with the right form, and no name that it uses counts as unused",
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
    "a declared name that resembles an unknown name is not reported as unused, and the hint proposes it",
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

  @Test("two equally similar names both count as used, and names without similarity are reported as unused")
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
    "an alias that only a wrong condition uses is not reported as unused; an alias that occurs nowhere is")
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
