import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite("Accuracy levels and their devices", .checkedPhones) struct AccuracyLevelTests {
  private static let positioning: [DeviceID] = ["location.gnss", "location.wifi", "location.cell"]
  private static let devices = positioning + ["host.processor", "host.app"]
  private static let walk = [Leg(activity: .walking, duration: .hours(3), speed: 1.4, heading: 40)]

  private func fixes(_ phone: Phone, _ client: ClientID = "app", _ name: String? = nil) -> [Fix] {
    phone.notices(LocationNotice.self, for: client, name).flatMap { entry -> [Fix] in
      if case .fixes(let fixes) = entry.notice { fixes } else { [] }
    }
  }

  @Test("L09: each accuracy level powers exactly the devices of the table")
  func table() async throws {
    let table: [(LocationAccuracy, Set<DeviceID>)] = [
      (.best, ["location.gnss"]), (.tenMetres, ["location.gnss"]), (.hundredMetres, ["location.wifi"]),
      (.kilometre, ["location.cell", "location.wifi"]), (.threeKilometres, ["location.cell"]),
    ]
    for (level, parts) in table {
      let phone = try await Phone(Self.walk, devices: Self.devices)
      await phone.attach("app")
      await phone.ask("app", "way", LocationUpdates(accuracy: .meters(level.metres), pausing: false))
      await phone.run(until: 1200)
      var powered: Set<DeviceID> = []
      let ledger = await phone.ledger()
      for device in Self.positioning where ledger.byDevice[device] ?? .zero > .zero { powered.insert(device) }
      #expect(powered == parts, "\(level)")
      if level == .kilometre {
        let first = phone.observer.everything.states.first { !$0.text.hasSuffix(" off") }
        #expect(first?.text.hasPrefix("location.cell ") == true, "cells come first: \(first?.text ?? "none")")
      }
      #expect(!fixes(phone).isEmpty)
    }
  }

  @Test("L09: an accuracy between two levels counts as the finer level, and invalid accuracies are errors")
  func rungs() async throws {
    #expect(
      [4.0, 5, 9, 10, 50, 99, 100, 999, 2999, 3000, 90000].map { LocationAccuracy(metres: $0)?.rawValue }
        == [5, 5, 5, 10, 10, 10, 100, 100, 1000, 3000, 3000])
    for malformed in [0, -1, .nan, .infinity] as [Double] {
      #expect(LocationAccuracy(metres: malformed) == nil)
    }
    let phone = try await Phone(Self.walk, devices: Self.devices)
    await phone.attach("app")
    await phone.ask("app", "zero", LocationUpdates(accuracy: .meters(0)))
    await phone.ask("app", "less", LocationUpdates(accuracy: .meters(-10)))
    #expect(phone.observer.everything.refusals.map(\.text) == ["app/zero invalid", "app/less invalid"])
    await phone.ask("app", "coarse", LocationUpdates(accuracy: .meters(3000)))
    await phone.ask("app", "fine", LocationUpdates(accuracy: .meters(50)))
    await phone.run(until: 60)
    #expect(await phone.isOn("location.gnss"), "50 m is between 10 m and 100 m")
    #expect(phone.codes("default gps { accuracy 0 m }") == [.beyondDevice])
    #expect(!phone.codes("default gps { accuracy -5 m }").isEmpty)
    #expect(phone.codes("default gps { accuracy 3 km }").isEmpty)
  }

  @Test(
    "L10: a client with 10 m accuracy pays for the receiver; a client with 3 km pays for the cell lookups")
  func account() async throws {
    let phone = try await Phone(Self.walk, devices: Self.devices)
    await phone.attach("a")
    await phone.attach("b")
    await phone.ask("a", "way", LocationUpdates(accuracy: .meters(3000), pausing: false))
    await phone.ask("b", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 600)
    let ledger = await phone.ledger()
    let receiver = try #require(ledger.byDevice["location.gnss"])
    let cells = try #require(ledger.byDevice["location.cell"])
    #expect(cells.nanojoules % 50_000_000 == 0 && cells > .zero)
    // Each client pays for the device that serves it, and for a part of the wake-ups.
    let wakes = try #require(ledger.byDevice["host.processor"])
    let a = try #require(ledger.byClient["a"])
    let b = try #require(ledger.byClient["b"])
    #expect(a >= cells && a <= cells + wakes)
    #expect(b >= receiver && b <= receiver + wakes)
    let alone = try await Phone(Self.walk, devices: Self.devices)
    await alone.attach("b")
    await alone.ask("b", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await alone.run(until: 600)
    #expect(await alone.ledger().byDevice["location.gnss"] == receiver, "the coarse client adds no energy")
  }

  @Test("L10: while a policy limits the accuracy to 100 m, the receiver is off and Wi-Fi positioning is on")
  func cap() async throws {
    let phone = try await Phone(
      Self.walk, devices: Self.devices,
      declares: [FactSchema(path: "battery.level", type: .quantity(.ratio))],
      facts: [(0, "battery.level", "80 %"), (100, "battery.level", "29 %"), (300, "battery.level", "36 %")],
      policy: """
        use location.gnss as gps
        rule cap while battery.level below 30 % release 35 % { downgrade gps to 100 m }
        """)
    await phone.attach("app")
    await phone.ask("app", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.run(until: 290)
    let receiver = await phone.isOn("location.gnss")
    let networks = await phone.isOn("location.wifi")
    #expect(!receiver && networks)
    await phone.run(until: 310)
    #expect(await phone.isOn("location.gnss"))
  }

  @Test(
    "L11: an accuracy of 10 m or finer causes a warning, except for activities that need such an accuracy")
  func advice() async throws {
    let phone = try await Phone(devices: Self.devices)
    #expect(phone.codes("default gps { accuracy 5 m activity other }") == [.dearAccuracy])
    #expect(phone.codes("default gps { accuracy 10 m }") == [.dearAccuracy])
    for activity in ["automotive", "fitness", "navigation"] {
      let text =
        "policy \"test\" version 1\nuse location.gnss as gps\ndefault gps { accuracy 5 m activity \(activity) }\n"
      let loaded = PolicyLoader(vocabulary: phone.vocabulary)
        .load([SourceText(file: "test.stint", bytes: Array(text.utf8))])
      #expect(loaded.diagnostics.allSatisfy { $0.severity == .note })
    }
    #expect(phone.codes("default gps { accuracy 11 m }").isEmpty)
  }

  @Test("L12: while another client uses Wi-Fi positions, a request for 3 km gets them at no extra cost")
  func better() async throws {
    let alone = try await Phone(Self.walk, devices: Self.devices)
    await alone.attach("a")
    await alone.ask("a", "way", LocationUpdates(accuracy: .meters(3000), pausing: false))
    await alone.run(until: 1200)
    let phone = try await Phone(Self.walk, devices: Self.devices)
    await phone.attach("a")
    await phone.attach("b")
    await phone.ask("b", "way", LocationUpdates(accuracy: .meters(100), pausing: false))
    await phone.ask("a", "way", LocationUpdates(accuracy: .meters(3000), pausing: false))
    await phone.run(until: 1200)
    let delivered = fixes(phone, "a").dropFirst(2)
    #expect(delivered.count >= 18)
    #expect(delivered.allSatisfy { $0.accuracy <= 150 }, "\(delivered.map(\.accuracy))")
    let cells = await phone.ledger().byDevice["location.cell"]
    let cellsAlone = await alone.ledger().byDevice["location.cell"]
    #expect(cells == cellsAlone, "equal numbers of lookups with and without the other client")
    let paid = try #require(await phone.ledger().byClient["a"])
    let paidAlone = try #require(await alone.ledger().byClient["a"])
    #expect(paid <= paidAlone)
  }

  @Test("L12: at every level, at least 95 of 100 outdoor fixes are as accurate as requested")
  func promise() async throws {
    for level in LocationAccuracy.allCases {
      let phone = try await Phone(Self.walk, devices: Self.devices)
      await phone.attach("app")
      await phone.ask("app", "way", LocationUpdates(accuracy: .meters(max(level.metres, 10)), pausing: false))
      await phone.run(until: 2400)
      let all = fixes(phone)
      #expect(Double(all.filter { $0.accuracy <= max(level.metres, 10) }.count) >= Double(all.count) * 0.95)
    }
  }

  @Test(
    "L12: with fuzz a client gets only its requested accuracy, even while another client gets finer fixes")
  func fuzz() async throws {
    let phone = try await Phone(Self.walk, devices: Self.devices)
    await phone.attach("a")
    await phone.attach("b")
    await phone.ask("b", "way", LocationUpdates(accuracy: .meters(10), pausing: false))
    await phone.ask("a", "way", LocationUpdates(accuracy: .meters(3000), pausing: false, fuzz: true))
    await phone.run(until: 1200)
    let blurred = fixes(phone, "a")
    #expect(blurred.count >= 20 && blurred.allSatisfy { $0.accuracy >= 3000 && $0.speed == 0 })
    // Fuzz moves each position to a coarse grid. A walk of 1.7 km crosses at most four cells of this grid.
    #expect(Set(blurred.map(\.coordinate)).count <= 4)
    let truth = try #require(fixes(phone, "b").last)
    #expect(try #require(blurred.last).coordinate.distance(to: truth.coordinate) <= 3000)
  }

  @Test(
    "L13: an omitted accuracy means 100 m, or the finest level when the client uses platform defaults")
  func unset() async throws {
    for (platform, device) in [(false, "location.wifi"), (true, "location.gnss")] as [(Bool, DeviceID)] {
      let phone = try await Phone(Self.walk, devices: Self.devices)
      await phone.attach("app")
      await phone.ask("app", "way", LocationUpdates(pausing: false, platformDefaults: platform))
      await phone.run(until: 60)
      for part in Self.positioning {
        let isOn = await phone.isOn(part)
        #expect(isOn == (part == device))
      }
    }
  }
}
