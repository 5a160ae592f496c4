import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintTestSupport
import StintUnits
import Testing

/// The three ways to reduce the cost of positions: accuracy, rate and duration.
@Suite("Energy by accuracy, rate and duration") struct EnergySettingsTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "location.wifi", "location.cell", "host.processor", "host.app",
  ]

  /// A working day with three quarters of an hour outdoors.
  private static let day: [Leg] = [
    inside(7.25), under(.open, .walking, 10, 1.4), under(.open, .automotive, 10, 14), inside(4),
    under(.street, .walking, 5, 1.2), inside(5), under(.open, .automotive, 10, 13), inside(1.5),
    under(.open, .running, 10, 2.8), inside(5.5),
  ]

  private static func inside(_ hours: Double) -> Leg {
    Leg(activity: .still, duration: .of(seconds: hours * 3600), speed: 0, heading: 0, sky: .indoors)
  }

  private static func under(_ sky: Leg.Sky, _ activity: Activity, _ minutes: Int64, _ speed: Double) -> Leg {
    Leg(activity: activity, duration: .minutes(minutes), speed: speed, heading: 40, sky: sky)
  }

  /// Returns the energy of the day in nanojoules. With `duty` below 1, the client has a demand only for the
  /// first part of every twenty minutes. `duty` is the length of this part as a share of the twenty minutes.
  private func energy(
    _ accuracy: Double, period: TimeSpan? = nil, duty: Double = 1
  ) async throws -> Int128 {
    let phone = try await Phone(Self.day, devices: Self.devices)
    await phone.attach("app")
    let updates = LocationUpdates(accuracy: .meters(accuracy), period: period?.duration, pausing: false)
    for turn in 0..<72 where duty < 1 || turn == 0 {
      await phone.run(until: Double(turn) * 1200)
      await phone.ask("app", "way", updates)
      guard duty < 1 else { break }
      await phone.run(until: (Double(turn) + duty) * 1200)
      await phone.end("app", "way")
    }
    await phone.run(until: 86_400)
    await phone.expectInvariants()
    return await phone.ledger().total.nanojoules
  }

  @Test(
    "G06: over a day, each accuracy level that is coarser than 10 m costs less energy than the level before it",
    .enabled(if: Tier.current >= .gate, "a whole day: the gate runs it"))
  func accuracy() async throws {
    var costs: [Int128] = []
    for level in LocationAccuracy.allCases { costs.append(try await energy(level.metres)) }
    #expect(costs.count == 5 && zip(costs, costs.dropFirst()).allSatisfy { $0 >= $1 }, "\(costs)")
    // The levels “best” and 10 m use the same device; each coarser level is cheaper than the level before it.
    #expect(zip(costs.dropFirst(), costs.dropFirst(2)).allSatisfy { $0 > $1 }, "\(costs)")
    #expect(try #require(costs.last) < costs[0] / 5)
  }

  @Test("G06: over a day, the energy falls as the period of fixes grows from 1 s to 60 s")
  func rate() async throws {
    var costs: [Int128] = []
    for seconds in [1, 5, 10, 30, 60] as [Int64] {
      costs.append(try await energy(10, period: .seconds(seconds)))
    }
    #expect(zip(costs, costs.dropFirst()).allSatisfy { $0 > $1 }, "\(costs)")
  }

  @Test("G06: over a day, the energy falls with the duty cycle, from 100 % to 1 %")
  func duty() async throws {
    var costs: [Int128] = []
    for duty in [1, 0.5, 0.2, 0.1, 0.05, 0.01] {
      costs.append(try await energy(10, period: .seconds(5), duty: duty))
    }
    #expect(zip(costs, costs.dropFirst()).allSatisfy { $0 > $1 }, "\(costs)")
    #expect(try #require(costs.last) < costs[0] / 10)
  }

  @Test("G06: unsupported settings are rounded, and the grant contains the rounded values")
  func rounding() async throws {
    let phone = try await Phone(devices: ["location.gnss", "location.wifi", "host.processor", "host.app"])
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(100), period: .seconds(1)))
    await phone.run(until: 10)
    let status = try #require(await phone.host.snapshot.status(of: "location.wifi"))
    let holder = try #require(status.demands.first)
    #expect(holder.demand.wants.period == .seconds(1))
    #expect(holder.grant.period == .seconds(30))
  }
}
