import StintGovernor
import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@Suite(.checkedPhones) struct ServiceEnergyTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "location.wifi", "location.cell", "motion.accelerometer", "host.processor",
  ]

  /// Returns the energy of a client's service in joules. The service runs for the first `days` days of the
  /// reference week, or of a long rest when `still` is true.
  private func joules(_ request: any ServiceRequest, days: Double, still: Bool = false) async throws -> Double
  {
    let legs = still ? [PlacesWorld.rest(20_000)] : PlacesWorld.week().legs
    let phone = try await Phone(legs, devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "it", request)
    await phone.run(until: days * 86_400)
    await phone.expectInvariants()
    return Double((await phone.ledger().byClient["app"] ?? .zero).nanojoules) * 1e-9
  }

  @Test(
    "X03: energy rises in this order: visits, regions, moves, streams of 3 km, 100 m and best accuracy",
    .enabled(if: Tier.current >= .gate, "a week: the gate runs it"))
  func order() async throws {
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let regions = RegionsRequest([
      Region("home", centre: origin, radius: .meters(200)),
      Region("office", centre: origin.moved(north: 0, east: 20_000), radius: .meters(400)),
    ])
    var week: [(name: String, joules: Double)] = []
    for (name, request) in [
      ("visits", VisitsRequest()), ("regions", regions), ("moves", MovesRequest()),
      ("3 km", PlainStream(device: "location.cell", wants: DemandSettings(accuracy: 3000, background: true))),
      ("100 m", PlainStream(device: "location.wifi", wants: DemandSettings(accuracy: 100, background: true))),
    ] as [(String, any ServiceRequest)] {
      week.append((name, try await joules(request, days: 7)))
    }
    // A stream of one fix a second takes long to simulate, so its energy is measured over a quarter of a day.
    let best = PlainStream(
      device: "location.gnss", wants: DemandSettings(accuracy: 5, period: .seconds(1), background: true))
    week.append(("best", try await joules(best, days: 0.25) * 28))
    #expect(zip(week, week.dropFirst()).allSatisfy { $0.joules < $1.joules }, "\(week)")
  }

  @Test("X03: at rest, the service for significant moves costs more energy than the service for visits")
  func desk() async throws {
    let visits = try await joules(VisitsRequest(), days: 2, still: true)
    let moves = try await joules(MovesRequest(), days: 2, still: true)
    #expect(visits < moves)
  }
}
