import StintAuthoring
import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTools
import StintUnits
import Testing

/// Bounds of rules that depend on demands of other rules, on a service, or on a sensor with pauses. Such a
/// sensor turns itself off between two samples. No client takes part.
@Suite("Bounds of wake-ups for rules and sensors without a client")
struct RuleDemandBoundTests {
  /// A policy whose rules wake a device more often than `reached` times in one hour.
  struct Case: Sendable, CustomStringConvertible {
    let name: String
    let device: DeviceID
    let reached: Int
    let rules: String
    let changes: String
    let atMinute: Int

    var description: String { name }

    var text: String {
      """
      policy "p" version 1
      use location.gnss as gps
      use location.wifi as wifi
      use motion.accelerometer as accel
      \(rules)
      test "t" {
        \(changes)
        expect wakeups(\(device)) > \(reached) per h at \(atMinute) min
      }
      """
    }
  }

  /// The screen turns on and off every 20 s.
  private static let blinking =
    "given screen.on = false, motion.activity = still\n"
    + (1...120).map { "at \($0 * 20) s set screen.on = \($0 % 2 == 1)" }.joined(separator: "\n")

  static let cases = [
    Case(
      name: "a rule tests “demanded” of another rule's device", device: "motion.accelerometer",
      reached: 50,
      rules: """
        default gps { linger 1 s }
        default accel { linger 1 s }
        rule a while screen.on { start gps for "a" with { accuracy 5 m  activity fitness } }
        rule b while demanded(gps) { start accel for "b" with { rate 1 Hz } }
        """, changes: blinking, atMinute: 40),
    Case(
      name: "two rules in a row test “demanded”", device: "motion.accelerometer", reached: 50,
      rules: """
        default gps { linger 1 s }
        default wifi { linger 1 s }
        default accel { linger 1 s }
        rule a while screen.on { start gps for "a" with { accuracy 5 m  activity fitness } }
        rule b while demanded(gps) { start wifi for "b" with { accuracy 100 m } }
        rule c while demanded(wifi) { start accel for "c" with { rate 1 Hz } }
        """, changes: blinking, atMinute: 40),
    Case(
      name: "a receiver is off between two fixes", device: "motion.accelerometer", reached: 350,
      rules: """
        default gps { accuracy 20 m  linger 1 min }
        rule run while screen.on { start gps for "a" with { accuracy 20 m  rate 1 per 10 s } }
        rule r while gps.on { start accel for "b" with { rate 1 Hz } }
        """, changes: "given screen.on = true", atMinute: 90),
  ]

  @Test("the bound is at least the number of wake-ups that the governor counts", arguments: cases)
  func reached(_ trial: Case) throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let source = SourceText(file: "p.stint", text: trial.text)
    let report = try PolicyTests([source], vocabulary: vocabulary).run()
    #expect(report.failures == 0, "\(report.text())")
    let loaded = PolicyLoader(vocabulary: vocabulary).load([source])
    let bound = WakeupBound.of(trial.device, in: loaded.policies, vocabulary: vocabulary)
    if case .atMost(let most) = bound.limit { #expect(most > trial.reached, "\(most)") }
  }

  @Test("a bound below the number of wake-ups is not proved", arguments: cases)
  func unproved(_ trial: Case) throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let text = trial.text + "\nrequire wakeups(\(trial.device)) <= \(trial.reached) per h\n"
    let check = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary)
    #expect(!check.text().contains("proved"), "\(check.text())")
  }

  @Test("for two rules that demand each other's device, the bound follows from the linger time")
  func circle() throws {
    let text = """
      policy "p" version 1
      use location.gnss as gps
      use motion.accelerometer as accel
      default accel { linger 1 min }
      rule a while demanded(accel) { start gps for "a" with { accuracy 5 m  activity fitness } }
      rule b while demanded(gps) { start accel for "b" with { rate 1 Hz } }
      """
    #expect(try Self.bound("motion.accelerometer", text) == .atMost(61))
  }

  @Test("for a rule that watches visits, the bound follows from the linger time")
  func service() throws {
    let text = """
      policy "p" version 1
      use location.wifi as wifi
      default wifi { linger 1 min }
      schedule day = 06:00..23:00
      rule v while time in day { watch visits on wifi }
      """
    #expect(try Self.bound("location.wifi", text) == .atMost(61))
  }

  @Test("a `demanded` condition counts as constant when no rule demands the device")
  func constant() throws {
    let text = """
      policy "p" version 1
      use location.gnss as gps
      use motion.accelerometer as accel
      rule b while demanded(gps) { start accel for "b" with { rate 1 Hz } }
      """
    #expect(try Self.bound("motion.accelerometer", text) == .atMost(1))
  }

  private static func bound(_ device: DeviceID, _ text: String) throws -> WakeupBound.Limit {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let loaded = PolicyLoader(vocabulary: vocabulary).load([SourceText(file: "p.stint", text: text)])
    #expect(loaded.diagnostics.allSatisfy { $0.severity != .error }, "\(loaded.diagnostics.map(\.title))")
    return WakeupBound.of(device, in: loaded.policies, vocabulary: vocabulary).limit
  }
}
