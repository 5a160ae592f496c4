import StintAuthoring
import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintSimulation
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// A rule reads the accelerometer, except while the speed alone makes the rule's condition false. So each
/// change of the speed can interrupt the reading.
@Suite("Bounds of readings that another operand interrupts")
struct InterruptedReadingTests {
  private static let text = """
    policy "p" version 1
    rule r when motion.activity is still and location.gnss.speed < 1 m/s { emit "x" }
    """
  private static let sensor: DeviceID = "motion.accelerometer"

  /// The phone begins and ends to rest every second, while its published speed is below the limit.
  private static let adversary = KnownAdversary(
    policy: "p", device: "location.gnss", demands: [sensor],
    round: ["still", "walking"].map { activity in
      (1000, [("motion.activity", activity), ("location.gnss.speed", "0 m/s")])
    })

  @Test("an adversary reaches at least three quarters of the sensor's bound, and does not exceed the bound")
  func wakeups() throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let loaded = PolicyLoader(vocabulary: vocabulary).load([SourceText(file: "p.stint", text: Self.text)])
    let adversary = try #require(Self.adversary.adversary(vocabulary))
    let wakeups = try WakeupTrial.wakeups(
      adversary, try #require(loaded.program), vocabulary, changes: 8000)
    let bound = WakeupBound.of("location.gnss", in: loaded.policies, vocabulary: vocabulary)
    guard case .atMost(let most) = bound.limit else {
      Issue.record("the bound is \(bound)")
      return
    }
    let count = wakeups[try #require(vocabulary.device("location.gnss"))]
    #expect(count <= most && 4 * count >= 3 * most, "\(count) of \(most)")
  }

  private func need(of device: DeviceID) throws -> (need: ReadingNeed, json: JSONValue?) {
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    let check = PolicyCheck([SourceText(file: "p.stint", text: Self.text)], vocabulary: vocabulary)
    let json = check.json["readings"]?.items?.first { entry in
      entry["devices"]?.items?.first?.string == device.path
    }
    return (try #require(check.readings.first { $0.devices == [device] }), json)
  }

  @Test("the price of the expensive sensor counts one beginning for every two changes of the cheap operand")
  func price() throws {
    let need = try need(of: "location.gnss").need
    let joules = Double(need.maxPerDay.nanojoules) / 1e9
    let always = Double(need.perHour.nanojoules) / 1e9 * 24
    // 1,800 interruptions per hour, each with a wake-up of the processor for 30 mJ.
    #expect((always + 24 * 1800 * 0.03...always + 1500).contains(joules), "\(need.text)")
  }

  @Test(
    "an expensive operand never interrupts the reading of a cheap sensor: one beginning, at most 14 J per day"
  )
  func cheapSensor() throws {
    let (need, json) = try need(of: Self.sensor)
    #expect(need.maxPerDay.joules < 14, "\(need.text)")
    #expect(json?["nJ_per_hour"]?.integer == Int64(need.perHour.nanojoules))
    #expect(json?["open_ns_per_day"] == .null && json?["shared_with"] == .null)
    #expect(json?["paced"] == JSONValue(false))
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let loaded = PolicyLoader(vocabulary: vocabulary).load([SourceText(file: "p.stint", text: Self.text)])
    let bound = WakeupBound.of(Self.sensor, in: loaded.policies, vocabulary: vocabulary)
    guard case .atMost(let most) = bound.limit else {
      Issue.record("the bound is \(bound)")
      return
    }
    #expect(most <= 2, "\(most)")
    // The speed makes the condition false every second, and the accelerometer stays on.
    let adversary = KnownAdversary(
      policy: "p", device: Self.sensor,
      round: ["0 m/s", "9 m/s"].map { (1000, [("motion.activity", "still"), ("location.gnss.speed", $0)]) })
    let wakeups = try WakeupTrial.wakeups(
      try #require(adversary.adversary(vocabulary)), try #require(loaded.program), vocabulary, changes: 8000)
    let count = wakeups[try #require(vocabulary.device(Self.sensor))]
    #expect((1...most).contains(count), "\(count) of \(most)")
  }

  @Test(
    "an operand of equal price, or a free part of a nested operand, counts as an interruption",
    arguments: [
      "motion.activity is still and motion.activity is not walking and battery.level < 5 %",
      "motion.activity is still and (location.gnss.speed < 1 m/s and screen.on)",
      "motion.activity is still or (location.gnss.speed < 1 m/s or screen.on)",
    ])
  func nested(condition: String) throws {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let text = "policy \"p\" version 1\nrule r when \(condition) { emit \"x\" }"
    let loaded = PolicyLoader(vocabulary: vocabulary).load([SourceText(file: "p.stint", text: text)])
    let bound = WakeupBound.of(Self.sensor, in: loaded.policies, vocabulary: vocabulary)
    if case .atMost(let most) = bound.limit { #expect(most > 2, "\(most)") }
  }

  @Test("the JSON of `check` names the rule to which a shared reading is charged")
  func shared() throws {
    let text = """
      policy "p" version 1
      schedule lunch = 12:00..12:30
      rule a when motion.activity is still { emit "x" }
      rule b when motion.activity is walking { emit "y" }
      rule c when time in lunch and location.gnss.speed > 40 m/s { emit "z" }
      """
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    let json = PolicyCheck([SourceText(file: "p.stint", text: text)], vocabulary: vocabulary).json
    func member(_ name: String, of rule: String) -> JSONValue? {
      json["readings"]?.items?.first { $0["rule"]?.string == rule }?[name]
    }
    #expect(member("shared_with", of: "p/b")?.string == "p/a")
    #expect(member("open_ns_per_day", of: "p/c")?.integer == TimeSpan.minutes(30).nanoseconds)
  }
}
