import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

/// The delivery modes that a rule can request. With `push`, samples are sent to clients; with `pull`, they
/// are kept until a client reads them.
@Suite(.checkedPhones) struct ModeWordTests {
  private static let part = MotionLaboratory.accelerometer

  private func wakes(_ mode: String) async throws -> (wakes: Int, samples: Int, cycles: Int) {
    let phone = try await MotionLaboratory.phone(
      [Self.part], clients: [],
      policy: """
        use motion.accelerometer as accel
        rule r always { start accel for "game" with { \(mode)  rate 10 Hz } }
        """)
    await phone.run(until: 600)
    #expect(await phone.isOn(Self.part))
    await phone.expectInvariants()
    let samples = phone.observer.everything.samples["game"] ?? 0
    return (await phone.host.snapshot.wakes, samples, phone.powerUps(of: Self.part))
  }

  @Test(
    "M08 M09: in 10 min, pull causes at most 1 wake-up, `latency 30 s` causes 19 or more; push loses nothing"
  )
  func modes() async throws {
    let pull = try await wakes("mode pull")
    let late = try await wakes("latency 30 s")
    let push = try await wakes("mode push")
    #expect(pull.wakes <= 1 && pull.samples == 0)
    #expect(late.wakes >= 19 && late.samples >= 5700)
    #expect(push.samples >= 5999)
    #expect([pull.cycles, late.cycles, push.cycles] == [1, 1, 1])
  }

  @Test("M18: when a rule with mode pull replaces a rule with mode push, pushes end without a power cycle")
  func pushThenPull() async throws {
    let phone = try await MotionLaboratory.phone(
      [Self.part], clients: [],
      policy: """
        use motion.accelerometer as accel
        rule push while known(overlay.on) and overlay.on { start accel for "game" with { mode push  rate 10 Hz } }
        rule pull while not overlay.on { start accel for "game" with { mode pull } }
        """,
      declares: [FactSchema(path: "overlay.on", type: .boolean)],
      facts: [(0, "overlay.on", "true"), (60, "overlay.on", "false")])
    await phone.run(until: 60)
    let pushed = phone.observer.everything.samples["game"] ?? 0
    #expect((599...600).contains(pushed))
    await phone.run(until: 300)
    #expect((phone.observer.everything.samples["game"] ?? 0) - pushed <= 1)
    #expect(await phone.isOn(Self.part))
    #expect(phone.powerUps(of: Self.part) == 1)
    await phone.expectInvariants()
  }

  @Test(
    "M18: the mode in a rule takes precedence over the mode in a default block", arguments: ["mode push", ""])
  func byDefault(mode: String) async throws {
    let phone = try await MotionLaboratory.phone(
      [Self.part], clients: [],
      policy: """
        use motion.accelerometer as accel
        default accel { mode pull }
        rule r always { start accel for "game" with { \(mode)  rate 10 Hz } }
        """)
    await phone.run(until: 60)
    #expect((phone.observer.everything.samples["game"] ?? 0 > 0) == !mode.isEmpty)
  }
}
