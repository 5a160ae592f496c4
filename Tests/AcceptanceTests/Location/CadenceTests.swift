import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits
import Testing

@Suite("Rates of fixes", .checkedPhones) struct CadenceTests {
  private static let devices: [DeviceID] = [
    "location.gnss", "location.wifi", "location.cell", "motion.accelerometer", "host.processor", "host.app",
  ]

  /// Returns the metres between consecutive fixes and the fixes per hour, over ten kilometres at constant
  /// speed.
  private func spacing(
    _ activity: Activity, _ speed: Double, filter: Double?, policy: String = ""
  ) async throws -> (gaps: [Double], perHour: Double) {
    let seconds = 10_000 / speed
    let legs = [Leg(activity: activity, duration: .of(seconds: seconds), speed: speed, heading: 40)]
    let phone = try await Phone(legs, devices: Self.devices, policy: policy)
    await phone.attach("app")
    await phone.ask(
      "app", "way", LocationUpdates(accuracy: .meters(10), filter: filter.map(Length.meters), pausing: false))
    await phone.run(until: seconds)
    // The first three minutes are left out: the receiver searches, and the stream learns the speed.
    let fixes = phone.notices(LocationNotice.self, for: "app").filter { $0.second > 180 }
      .flatMap { entry -> [Fix] in
        if case .fixes(let fixes) = entry.notice { fixes } else { [] }
      }
    await phone.expectInvariants()
    let gaps = zip(fixes, fixes.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
    return (gaps, Double(fixes.count) * 3600 / (seconds - 180))
  }

  @Test(
    "L08: with a filter of 100 m, fixes are about 100 m apart on foot and by car, and fewer per hour on foot")
  func filter() async throws {
    let walk = try await spacing(.walking, 1.4, filter: 100)
    let drive = try await spacing(.automotive, 14, filter: 100)
    for gap in walk.gaps + drive.gaps { #expect((80...120).contains(gap), "\(gap) m") }
    #expect(walk.perHour <= drive.perHour / 8)
  }

  @Test("L08: a policy that adapts the rate to the activity keeps fixes about 100 m apart")
  func policy() async throws {
    let policy = """
      use location.gnss as gps
      use motion.accelerometer as accel
      default gps { rate 1 per 7 s }
      rule know always { start accel with { rate 5 Hz  latency 1 min } }
      rule r while not motion.activity in [automotive] for 1 min { downgrade gps to 1 per 70 s }
      """
    let walk = try await spacing(.walking, 1.4, filter: nil, policy: policy)
    let drive = try await spacing(.automotive, 14, filter: nil, policy: policy)
    for gap in walk.gaps + drive.gaps { #expect((80...120).contains(gap), "\(gap) m") }
    #expect(walk.gaps.count >= 50 && drive.gaps.count >= 50)
    #expect(walk.perHour <= drive.perHour / 8)
  }

  @Test(
    "L08: the rate does not decrease at stops of less than a minute, or while the activity is unknown"
  )
  func lights() async throws {
    let policy = """
      use location.gnss as gps
      use motion.accelerometer as accel
      default gps { rate 1 per 7 s }
      rule know always { start accel with { rate 5 Hz  latency 10 s } }
      rule r while not motion.activity in [automotive] for 1 min { downgrade gps to 1 per 70 s }
      """
    var legs: [Leg] = []
    for _ in 0..<5 {
      legs.append(Leg(activity: .automotive, duration: .minutes(3), speed: 10, heading: 40))
      legs.append(Leg(activity: .still, duration: .seconds(40), speed: 0, heading: 0))
    }
    legs.append(Leg(activity: .still, duration: .minutes(10), speed: 0, heading: 0))
    // Rule `r` reads the activity. So the governor switches the accelerometer on for `r`, even without rule
    // `know`. Only rule `blind` keeps the accelerometer off.
    let alone = policy.without("rule know")
    for (policy, knows) in [
      (policy, true), (alone, true),
      (alone + "\nrule blind while not known(screen.on) { stop motion.accelerometer }", false),
    ] {
      let phone = try await Phone(legs, devices: Self.devices, policy: policy)
      await phone.attach("app")
      await phone.ask("app", "bus", LocationUpdates(accuracy: .meters(10), pausing: false))
      await phone.run(until: 1100 + 600)
      let seconds = phone.notices(LocationNotice.self, for: "app").compactMap { entry -> Double? in
        if case .fixes = entry.notice { entry.second } else { nil }
      }
      let gaps = zip(seconds, seconds.dropFirst()).filter { $0.0 > 180 }
      let slow = gaps.filter { $1 - $0 > 10 }.map(\.0)
      // The last stop begins at 1060 s and does not end. If the activity is known, the rule limits the rate a
      // minute after this stop began.
      #expect(knows ? slow.first.map { $0 > 1100 } == true : slow.isEmpty, "\(slow)")
      await phone.expectInvariants()
    }
  }

  @Test(
    "L07: a rule that keeps a receiver on causes a warning, unless the activity is automotive or navigation")
  func reason() async throws {
    let phone = try await Phone(devices: Self.devices)
    let rule = { (settings: String, ending: String) in
      "rule r while app.state is foreground { start gps for \"guide\" with { \(settings) } \(ending) }"
    }
    #expect(phone.codes(rule("accuracy 20 m", "")) == [.receiverStaysOn])
    #expect(phone.codes(rule("accuracy 20 m  activity other", "")) == [.receiverStaysOn])
    #expect(phone.codes(rule("accuracy 10 m  activity automotive", "")).isEmpty)
    #expect(phone.codes(rule("accuracy 10 m  activity navigation", "")).isEmpty)
    #expect(phone.codes(rule("accuracy 100 m", "")).isEmpty, "no receiver is needed for that")
    #expect(phone.codes(rule("accuracy 20 m  rate 1 per 1 min", "")).isEmpty, "off between fixes")
    for (minutes, expected) in [(10, []), (11, [DiagnosticCode.receiverStaysOn])] {
      let edge = "rule r when app.state is foreground { start gps with { accuracy 20 m } for \(minutes) min }"
      #expect(phone.codes(edge) == expected)
    }
    #expect(phone.codes("default gps { activity automotive }\n" + rule("accuracy 20 m", "")).isEmpty)
  }

  @Test("L07: while a route is active, the rule `guide` overrides the rule that stops the receiver")
  func guidance() async throws {
    let phone = try await Phone(
      [Leg(activity: .automotive, duration: .hours(2), speed: 14, heading: 40)], devices: Self.devices,
      declares: [FactSchema(path: "route.active", type: .boolean)],
      facts: [
        (0, "route.active", "false"), (0, "app.state", "foreground"), (100, "route.active", "true"),
        (1000, "route.active", "false"),
      ],
      policy: """
        use location.gnss as gps
        rule saver while app.state is foreground { stop gps }
        rule guide over saver while route.active {
          start gps for "guide" with { accuracy 10 m  activity automotive }
        }
        """)
    await phone.run(until: 2000)
    #expect(phone.states(of: "location.gnss") == ["search 100", "track 147", "off 1000"])
    await phone.expectInvariants()
  }

  @Test("L13: an omitted accuracy causes a warning; platform defaults mean the best accuracy")
  func open() async throws {
    let rule = "rule r while app.state is foreground { start gps for \"map\" with { background on } }"
    let phone = try await Phone(
      devices: Self.devices, facts: [(0, "app.state", "foreground")],
      policy: "use location.gnss as gps\ndefault gps { platform_defaults on }\n\(rule)")
    #expect(phone.codes(rule) == [.accuracyLeftOpen])
    #expect(phone.codes("default gps { accuracy 100 m }\n" + rule).isEmpty)
    await phone.run(until: 60)
    #expect(await phone.isOn("location.gnss"))
    let plain = try await Phone(
      devices: Self.devices, facts: [(0, "app.state", "foreground")],
      policy: "use location.gnss as gps\ndefault gps { platform_defaults off }\n\(rule)")
    await plain.run(until: 60)
    #expect(await plain.isOn("location.wifi"))
    #expect(phone.codes("default gps { platform_defaults maybe }").contains(.unknownWord))
  }

  @Test(
    "L24: `activity navigation` causes a warning in a rule for walking, and no warning in a rule for driving")
  func onFoot() async throws {
    let phone = try await Phone(devices: Self.devices)
    let rule = { (word: String) in
      "rule r while motion.activity is \(word) { start gps with { accuracy 20 m  activity navigation } }"
    }
    #expect(phone.codes(rule("walking")) == [.activityUnfit])
    #expect(phone.codes(rule("automotive")).isEmpty)
  }
}

extension String {
  /// Returns the text without the lines that begin with this string or with `use motion`.
  fileprivate func without(_ word: String) -> String {
    split(separator: "\n").filter { !$0.hasPrefix(word) && !$0.hasPrefix("use motion") }
      .joined(separator: "\n")
  }
}
