import StintGovernor
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite(.checkedPhones) struct VisitPhoneTests {
  static let devices: [DeviceID] = [
    "location.wifi", "location.cell", "motion.accelerometer", "host.processor",
  ]

  @Test(
    "R05: reported stays differ from true stays by at most five minutes; stops at red lights are not reported"
  )
  func week() async throws {
    let (legs, stays) = PlacesWorld.week()
    let phone = try await Phone(legs, devices: Self.devices)
    await phone.attach("diary")
    await phone.ask("diary", "visits", VisitsRequest())
    await phone.run(until: 7 * 86_400)
    var arrivals: [Double] = []
    var departures: [Double] = []
    for (_, notice) in phone.notices(VisitNotice.self, for: "diary") {
      switch notice {
      case .arrived(let visit, _): arrivals.append((visit.arrival - Phone.start).seconds)
      case .departed(let visit, _):
        departures.append(((visit.departure ?? Phone.start) - Phone.start).seconds)
      }
    }
    #expect(arrivals.count == stays.count)
    for (told, stay) in zip(arrivals, stays) { #expect(abs(told - stay.arrival) <= 300) }
    let left = stays.compactMap(\.departure)
    #expect(departures.count == left.count)
    for (told, departure) in zip(departures, left) { #expect(abs(told - departure) <= 300) }
    await phone.expectInvariants()
  }

  @Test("R07: a visit launches a detached app once, and is delivered when the app attaches again")
  func relaunch() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(20), PlacesWorld.drive(600, heading: 0)], devices: Self.devices)
    await phone.attach("diary")
    await phone.ask("diary", "visits", VisitsRequest())
    await phone.run(until: 60)
    await phone.serve(.detach("diary"))
    await phone.run(until: 330)
    #expect(phone.observer.everything.launches.map(\.text) == ["launch diary visit"])
    #expect(phone.notices(VisitNotice.self, for: "diary").isEmpty)
    await phone.run(until: 340)
    await phone.attach("diary")
    #expect(phone.notices(VisitNotice.self, for: "diary").map(\.second) == [340])
    await phone.run(until: 3000)
    #expect(phone.notices(VisitNotice.self, for: "diary").count == 3)
    #expect(phone.observer.everything.launches.count == 1)
  }

  @Test("R07: a launch is repeated until the app attaches and gets the visit; a removed app is not launched")
  func failedLaunch() async throws {
    let phone = try await Phone([PlacesWorld.rest(60)], devices: Self.devices)
    for client: ClientID in ["diary", "gone"] {
      await phone.attach(client)
      await phone.ask(client, "visits", VisitsRequest())
      await phone.serve(.detach(client))
    }
    await phone.serve(.remove("gone"))
    await phone.run(until: 330 + 60 + 120)
    let launches = phone.observer.everything.launches.map(\.text)
    #expect(launches == Array(repeating: "launch diary visit", count: launches.count))
    #expect(launches.count >= 2)
    await phone.attach("diary")
    #expect(phone.notices(VisitNotice.self, for: "diary").count == 1)
  }

  @Test("R05: a visit that a rule watches continues after a restart of the host, without a second arrival")
  func restart() async throws {
    let folder = try ScratchFolder()
    let file = ServicesFile(folder.path + "/services.json")
    let policy = """
      use location.wifi as wifi
      rule watching always { watch visits on wifi }
      rule come when visit.arrived { emit "come" }
      """
    var comings: [Int] = []
    for policy in [policy, "", policy] {
      let phone = try await Phone([PlacesWorld.rest(60)], devices: Self.devices, policy: policy)
      await phone.host.serve(keeping: file, restoring: try file.load(), at: await phone.host.now)
      await phone.run(until: 1800)
      comings.append(phone.observer.everything.acts.count)
      await phone.expectInvariants()
    }
    #expect(comings == [1, 0, 0])
  }

  @Test("R06: one request notifies both receivers in the app, and no other app")
  func receivers() async throws {
    let phone = try await Phone([PlacesWorld.rest(60)], devices: Self.devices)
    await phone.attach("diary")
    await phone.attach("other")
    await phone.ask("diary", "visits", VisitsRequest(receivers: ["map"]))
    await phone.command("diary", "visits", VisitCommand.listen("list"))
    await phone.run(until: 600)
    #expect(phone.notices(VisitNotice.self, for: "diary").count == 2)
    #expect(phone.notices(VisitNotice.self, for: "other").isEmpty)
  }

  @Test("R08: in the day after its end, the service sends no notice and uses no energy")
  func end() async throws {
    let phone = try await Phone(
      [PlacesWorld.rest(60), PlacesWorld.drive(1200, heading: 0)], devices: Self.devices)
    await phone.attach("diary")
    await phone.ask("diary", "visits", VisitsRequest())
    await phone.run(until: 1800)
    await phone.end("diary", "visits")
    let before = await phone.ledger().byClient["diary"]
    await phone.run(until: 86_400)
    #expect(await phone.ledger().byClient["diary"] == before)
    #expect(phone.notices(VisitNotice.self, for: "diary").count == 1)
    #expect(await !phone.isOn("motion.accelerometer"))
    await phone.expectInvariants()
  }
}
