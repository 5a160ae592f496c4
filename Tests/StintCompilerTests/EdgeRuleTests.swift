import StintLanguage
import StintMachine
import StintModel
import StintUnits
import Testing

@Suite("Rules that act on edges")
struct EdgeRuleTests {
  @Test("L15: five attempts of two minutes begin at 0, 7, 19, 41 and 83 minutes")
  func givesUpAndTriesAgain() throws {
    let ending = CheckedEnding(duration: .minutes(5), doublingTo: .hours(1))
    var probe = try Probe([
      rule(
        "giveup", .when(all(flag("on"), flag("poor")).held(.minutes(2)), atMost: nil), [stop(ending: ending)])
    ])
    probe.set("poor", true)
    probe.set("on", true)
    var attempts = [0.0]
    var stops: [Double] = []
    while probe.now.seconds < 120 * 60 {
      for change in probe.settle() {
        switch change {
        case .began:
          stops.append(probe.now.seconds / 60)
          probe.set("on", false)
        case .ended:
          attempts.append(probe.now.seconds / 60)
          probe.set("on", true)
        default: break
        }
      }
      probe.settle()
      guard let timer = probe.machine.nextTimer else { break }
      probe.now = timer
    }
    #expect(stops == [2, 9, 21, 43, 85])
    #expect(attempts == [0, 7, 19, 41, 83])
  }
}
