import StintModel
import StintServices
import StintSimulation
import StintUnits
import Testing

/// Tests a link that is temporarily too slow to be worth the power of its radio.
@Suite(.checkedPhones) struct SlowLinkLimitsTests {
  private static let bytes: Int64 = 40_000_000

  /// The rate of the link: 500 kB a second. From 20 s on, it is only 10 kB a second for twenty minutes.
  private static var rates: LinkRates {
    var rates = LinkRates(500_000)
    rates.set(10_000, from: Phone.start + .seconds(20))
    rates.set(500_000, from: Phone.start + .seconds(1220))
    return rates
  }

  private func line(_ slowLink: SlowLinkLimits?) async throws -> PhoneTransferBench {
    var line = try await PhoneTransferBench.open(plugins: [VariableRateRadio.radio(Self.rates)])
    var configuration = TransferConfiguration()
    configuration.slowLink = slowLink
    await line.ask(configuration)
    await line.submit("film", TransferBench.download(Self.bytes))
    return line
  }

  @Test(
    "N11: a transfer pauses while its link is too slow, resumes later, and transfers no byte twice"
  )
  func slow() async throws {
    var line = try await line(SlowLinkLimits(below: 40_000, release: 80_000))
    await line.run(until: 45)
    // The link is slow from the twentieth second on. The first measurement that shows this ends at 21 s, and
    // the transfer pauses 20 s later.
    let states = line.phone.states(of: "radio.cellular")
    #expect(states.first { $0.hasPrefix("tail") } == "tail 41")
    #expect(line.told().map(\.notice).contains(.waiting("film", .slowLink)))
    await line.run(until: 3600)
    let finish = try #require(line.finish(of: "film"))
    // The link is tried every five minutes, and is fast again at 1220 s.
    #expect(finish > 1220 && finish < 1220 + 320 + 80)
    let offsets = line.attempts.map(\.exchange.offset)
    #expect(offsets == offsets.sorted() && Set(offsets).count == offsets.count)
    #expect(abs(carried(line.phone) - Self.bytes) <= Int64(offsets.count))
    await line.phone.expectInvariants()
  }

  @Test("N11: without limits, the transfer continues on the slow link and uses more than 3 times the energy")
  func withoutLimits() async throws {
    var withoutLimits = try await line(nil)
    var withLimits = try await line(SlowLinkLimits(below: 40_000, release: 80_000))
    await withoutLimits.run(until: 3600)
    await withLimits.run(until: 3600)
    #expect(withoutLimits.attempts.count == 1)
    let ratio =
      Double(await withoutLimits.radioEnergy().nanojoules) / Double(await withLimits.radioEnergy().nanojoules)
    #expect(ratio > 3, "\(ratio)")
  }

  @Test("N11: a slow link does not defer urgent work")
  func urgent() async throws {
    var line = try await line(SlowLinkLimits(below: 40_000, release: 80_000))
    await line.run(until: 10)
    await line.tell(.promote("film"))
    await line.run(until: 3600)
    #expect(line.attempts.count == 1)
    #expect(line.finish(of: "film") != nil)
  }

  /// Returns the bytes that the link transferred while the radio was active.
  private func carried(_ phone: Phone) -> Int64 {
    var sum: Int64 = 0
    var since: Double?
    for entry in phone.observer.everything.states where entry.text.hasPrefix("radio.cellular") {
      if let began = since {
        sum += Self.rates.bytes(
          from: Phone.start + .of(seconds: began), to: Phone.start + .of(seconds: entry.second))
      }
      since = entry.text.hasSuffix("active") ? entry.second : nil
    }
    return sum
  }
}
