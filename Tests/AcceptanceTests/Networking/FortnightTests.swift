import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// Tests when deferrable work runs during two weeks, in which the phone charges every night.
@Suite(.checkedPhones) struct FortnightTests {
  /// Combines transfers over cellular for up to 4 h. A night at the charger is longer than 4 h. So transfers
  /// that are held from the beginning of the night still finish at the charger. Over Wi-Fi, combining
  /// transfers would save no energy.
  private static let policy = """
    use radio.cellular as net
    rule pack while net.kind is cellular { batch net until 4 h }
    """

  @Test(
    "N18: in 14 days 95 % of jobs finish at the charger, all in time, for at most 1.2 times the least energy",
    arguments: Trials(30, fewest: 1).seeds)
  func fortnight(seed: UInt64) async throws {
    let fortnight = Fortnight(seed: seed)
    var line = try await PhoneTransferBench.open(fortnight.legs, facts: fortnight.facts, policy: Self.policy)
    var configuration = TransferConfiguration.discretionary
    configuration.window = .hours(18)
    await line.ask(configuration)
    for job in fortnight.jobs {
      await line.run(until: job.second)
      await line.submit(job.name, TransferBench.download(job.bytes))
    }
    await line.run(until: Double(Fortnight.days + 1) * 86_400)
    var good = 0
    for job in fortnight.jobs {
      let finish = try #require(line.finish(of: job.name), "\(job.name)")
      #expect(finish <= job.second + Fortnight.window, "\(job.name)")
      if fortnight.isGood(at: finish) { good += 1 }
    }
    #expect(Double(good) >= 0.95 * Double(fortnight.jobs.count), "\(good) of \(fortnight.jobs.count)")
    let ratio = Double(await line.radioEnergy().nanojoules) / Double(fortnight.floor.nanojoules)
    #expect(ratio <= 1.2, "\(ratio)")
  }

  @Test("N18: without a charger, a task at its deadline also starts tasks that have waited half their window")
  func badNight() async throws {
    var line = try await PhoneTransferBench.open(facts: [(0, "power.source", "battery")])
    var configuration = TransferConfiguration.discretionary
    configuration.window = .hours(18)
    await line.ask(configuration)
    for hour in 0..<18 {
      await line.run(until: Double(hour) * 3600)
      await line.submit("\(hour)", TransferBench.download())
    }
    await line.run(until: 48 * 3600)
    #expect(line.finished().count == 18)
    #expect(line.periods(of: "radio.cellular") == 2)
    for hour in 0..<18 {
      #expect(try #require(line.finish(of: "\(hour)")) <= Double(hour + 18) * 3600)
    }
  }
}
