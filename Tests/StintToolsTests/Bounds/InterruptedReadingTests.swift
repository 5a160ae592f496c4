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

  @Test("the price counts one beginning of the reading for every two changes of the speed")
  func price() throws {
    let vocabulary = Vocabulary(manifests: try DeviceProfile.reference.manifests())
    let check = PolicyCheck([SourceText(file: "p.stint", text: Self.text)], vocabulary: vocabulary)
    let need = try #require(check.readings.first { $0.devices == [Self.sensor] })
    let joules = Double(need.maxPerDay.nanojoules) / 1e9
    // 1,800 interruptions per hour, each with a wake-up of the processor for 30 mJ.
    #expect(joules > 24 * 1800 * 0.03 && joules < 1500, "\(need.text)")
    let entry = check.json["readings"]?.items?.first { entry in
      entry["devices"]?.items?.first?.string == Self.sensor.path
    }
    #expect(entry?["nJ_per_hour"]?.integer == Int64(need.perHour.nanojoules))
    #expect(entry?["open_ns_per_day"] == .null && entry?["shared_with"] == .null)
    #expect(entry?["paced"] == JSONValue(false))
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
