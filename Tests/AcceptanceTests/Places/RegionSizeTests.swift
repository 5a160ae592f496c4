import StintGovernor
import StintModel
import StintServices
import StintUnits
import Testing

@Suite(.checkedPhones) struct RegionSizeTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "location.wifi", "location.cell", "motion.accelerometer", "host.processor",
  ]
  /// The longest permitted time from a crossing of the border to its report, in seconds.
  private static let limit = 180.0

  @Test(
    "R01: all of twenty border crossings are reported within three minutes, at every radius",
    arguments: [60, 100, 150, 250] as [Double], 0..<5 as Range<UInt64>)
  func sizes(radius: Double, seed: UInt64) async throws {
    let origin = try #require(Coordinate(latitude: 47.05, longitude: 8.31))
    let walk = try RegionWalk(origin: origin, radius: radius, seed: seed)
    let phone = try await Phone(walk.legs, devices: Self.devices, seed: seed)
    await phone.attach("app")
    await phone.ask(
      "app", "it", RegionsRequest([Region("depot", centre: walk.centre, radius: .meters(radius))]))
    await phone.run(until: walk.seconds)
    let passages = try walk.passages()
    var reports = phone.notices(RegionNotice.self, for: "app")
    #expect(reports.first?.notice == .known(region: "depot", isInside: false))
    if !reports.isEmpty { reports.removeFirst() }
    var found = 0
    for passage in passages {
      let expected = passage.isEntry ? RegionNotice.entered("depot") : .exited("depot")
      guard
        let report = reports.firstIndex(where: {
          $0.notice == expected && passage.second...passage.second + Self.limit ~= $0.second
        })
      else { continue }
      reports.remove(at: report)
      found += 1
    }
    #expect(passages.count == 20)
    #expect(found == 20, "\(passages)")
    // Each remaining report is an error: it is too early, too late, or without a crossing.
    #expect(reports.isEmpty, "\(reports)")
    let devices = await phone.ledger().byDevice
    let spent = (["location.cell", "location.wifi", "location.gnss"] as [DeviceID])
      .compactMap { devices[$0] }.reduce(.zero, +)
    #expect(spent <= Energy(nanojoules: 115_000_000_000))
    await phone.expectInvariants()
  }
}
