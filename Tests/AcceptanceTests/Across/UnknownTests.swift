import StintGovernor
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

/// Tests the results of conditions on unknown facts. A comparison with an unknown fact is neither true nor
/// false. Only `known` is true or false even for an unknown fact.
@Suite(.checkedPhones) struct UnknownTests {
  private static let level = FactSchema(path: "battery.level", type: .quantity(.ratio), range: 0...1)
  private static let policy = """
    policy "test" version 1
    use location.gnss as gps
    rule low while battery.level < 30 % { stop gps }
    rule high while not battery.level < 30 % { downgrade gps to 100 m }
    rule blind while not known(battery.level) for 10 min { downgrade gps to 1 per 60 s }
    """

  private func phone(facts: [(Double, String, String)] = []) async throws -> (Phone, [CheckedPolicy]) {
    let phone = try await Phone(
      [PlacesWorld.rest(100, sky: .open)], devices: ["location.gnss"], declares: [Self.level], facts: facts)
    let source = SourceText(file: "test.stint", bytes: Array(Self.policy.utf8))
    let loaded = PolicyLoader(vocabulary: phone.vocabulary).load([source])
    try await phone.host.load(
      try #require(
        loaded.program, "\(DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))"),
      policies: [], at: Phone.start)
    await phone.attach("app")
    await phone.ask(
      "app", "way",
      PlainStream(device: "location.gnss", wants: DemandSettings(accuracy: 10, period: .seconds(1))))
    return (phone, loaded.policies)
  }

  @Test(
    "X11: while a fact is unknown, neither a comparison nor its negation is true, and “why” names the fact"
  )
  func battery() async throws {
    let (phone, policies) = try await phone()
    await phone.run(until: 599)
    let setting = await phone.host.snapshot.status(of: "location.gnss")?.setting
    #expect(setting?.accuracy == 10)
    #expect(setting?.period == .seconds(1))
    let why = WhyReport(device: "location.gnss", governor: await phone.host.snapshot, policies: policies).text
    #expect(why.contains("unknown: battery.level, never published"), "\(why)")
    // Only the rule that tests `known` acts.
    await phone.run(until: 601)
    #expect(await phone.host.snapshot.status(of: "location.gnss")?.setting.period == .seconds(60))
    await phone.expectInvariants()
  }

  @Test("X11: once the fact is known, the rule whose comparison is true acts")
  func known() async throws {
    let (phone, _) = try await phone(facts: [(100, "battery.level", "20 %")])
    await phone.run(until: 99)
    #expect(await phone.isOn("location.gnss"))
    await phone.run(until: 101)
    #expect(await !phone.isOn("location.gnss"))
  }
}
