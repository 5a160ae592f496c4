import StintModel
import StintTestSupport
import StintTools
import StintUnits
import Testing

@Suite("Coarse positions detect the exit from a zone and the entry into it")
struct GeofenceDelayTests {
  /// No client requests positions, and no directive watches the zone; only a condition reads the zone.
  /// Indoors, the receiver finds no position, so coarse positions must detect the arrival.
  private static let arrivalPolicy = """
    policy "arrival" version 1
    use location.gnss as gps required
    zone home = circle 47.05 8.31 radius 150 m
    machine m starts out {
      state out { goto in_ when inside(home) }
      state in_ { stop gps  goto out when not inside(home) }
    }
    rule away while m is out { pause radio.wifi }
    """

  private static let policy = """
    policy "geofence" version 1
    use location.gnss as gps required
    use location.wifi as near
    schedule late = 10:30..23:00
    zone home = circle 47.05 8.31 radius 300 m
    machine m starts out {
      state out { goto in_ when inside(home) for 2 min }
      state in_ { stop gps  goto out when not inside(home) }
    }
    rule back while m is out and time in late { downgrade gps to 200 m }
    """

  /// Returns the time from the crossing of the border to the restart of the receiver, in seconds.
  private func delay(_ activity: String, _ speed: Double, seed: UInt64) throws -> Double {
    let temporaryFiles = TemporaryFiles()
    let rest = 7200 + Double(seed) * 7
    let scenario = try temporaryFiles.file(
      "day.json",
      """
      {"stint_scenario": 1, "name": "geofence", "start": "2026-05-18T09:00:00+02:00", "duration": "150 min",
       "world": {"origin": [47.05, 8.31], "legs": [
         {"activity": "still", "for": "\(rest) s", "sky": "open"},
         {"activity": "\(activity)", "for": "30 min", "speed": "\(speed) m/s", "heading": "40 deg", "sky": "open"}]},
       "clients": [{"name": "x",
         "demands": [{"target": "location.gnss", "with": {"accuracy": "5 m", "background": true}}]}],
       "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    let policy = try temporaryFiles.file("geofence.stint", Self.policy)
    let report = try SimulationRun(SimulationRequest(policies: [policy], scenario: scenario, seed: seed))
      .run().report
    let back = try #require(report.rules[RuleID(policy: "geofence", rule: "back")])
    #expect(back.activations == 1)
    return 9000 - back.inForce.seconds - rest - 300 / speed
  }

  @Test(
    "within a minute after a car, a bicycle or a walker crosses the border, the receiver works again",
    arguments: [("automotive", 14.0), ("cycling", 5), ("walking", 1.4)])
  func restarts(activity: String, speed: Double) throws {
    // The 95 % radius of a Wi-Fi position is 40 m to 150 m, so an exit can be detected before the crossing.
    for seed in Trials(100, fewest: 7).seeds {
      let delay = try delay(activity, speed, seed: seed + 1)
      #expect((-40...60).contains(delay), "\(activity), seed \(seed + 1): \(delay) s")
    }
  }

  /// Returns the time from the crossing of the border to the detection, in seconds. The phone moves at the
  /// given speed from 3 km away to the centre of the zone, and stays there indoors for 2 h.
  private func arrivalDelay(_ speed: Double, seed: UInt64) throws -> Double {
    let temporaryFiles = TemporaryFiles()
    let travel = Int(3000 / speed)
    let rest = 600 + Int(seed) * 7
    // One degree of latitude is 111 195 m.
    let rows = (0...travel).map { second in
      "\(rest + second),\(47.05 + (Double(travel - second) * speed) / 111_195),8.31"
    }
    let start = 47.05 + Double(travel) * speed / 111_195
    let track = try temporaryFiles.file(
      "track.csv",
      (["t_s,lat,lon", "0,\(start),8.31"] + rows + ["\(rest + travel + 7200),47.05,8.31", ""])
        .joined(separator: "\n"))
    let scenario = try temporaryFiles.file(
      "day.json",
      """
      {"stint_scenario": 1, "name": "arrival", "start": "2026-05-18T09:00:00+02:00", "duration": "4 h",
       "world": {"origin": [47.05, 8.31], "legs": [{"activity": "still", "for": "4 h", "sky": "indoors"}]},
       "clients": [],
       "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    let policy = try temporaryFiles.file("arrival.stint", Self.arrivalPolicy)
    var request = SimulationRequest(policies: [policy], scenario: scenario, seed: seed)
    request.trace = track
    let report = try SimulationRun(request).run().report
    let away = try #require(report.rules[RuleID(policy: "arrival", rule: "away")])
    #expect(away.activations == 1)
    return away.inForce.seconds - Double(rest + travel) + 150 / speed
  }

  @Test(
    "within 90 s after a car, a bicycle or a walker enters a zone of 150 m, the entry is detected indoors",
    arguments: [14.0, 5, 1.4])
  func arrives(speed: Double) throws {
    for seed in Trials(40, fewest: 3).seeds {
      let delay = try arrivalDelay(speed, seed: seed + 1)
      #expect((-40...90).contains(delay), "\(speed) m/s, seed \(seed + 1): \(delay) s")
    }
  }

  @Test("a zone is probed when its schedule begins, although the last known activity was “still”")
  func schedule() throws {
    // From 09:02 to 09:26, no rule needs the zone, so its sensors are off. Meanwhile a car carries the phone
    // 20 km to the zone.
    let temporaryFiles = TemporaryFiles()
    func row(_ second: Int, _ meters: Double) -> String {
      "\(second),\(47.05 + meters / 111_195),8.31"
    }
    let rows =
      ["t_s,lat,lon", row(0, 20_000), row(150, 20_000)]
      + (0...1000).map { row(200 + $0, 20_000 - 20 * Double($0)) } + [row(3600, 0), ""]
    let policy = try temporaryFiles.file(
      "hours.stint",
      """
      policy "hours" version 1
      use location.gnss as gps required
      zone home = circle 47.05 8.31 radius 500 m
      schedule early = 09:00..09:02
      schedule late = 09:26..12:00
      machine m starts out {
        state out { goto in_ when (time in early or time in late) and inside(home) }
        state in_ { }
      }
      rule away while m is out { pause radio.wifi }
      """)
    let scenario = try temporaryFiles.file(
      "day.json",
      """
      {"stint_scenario": 1, "name": "hours", "start": "2026-05-18T09:00:00+02:00", "duration": "1 h",
       "world": {"origin": [47.05, 8.31], "legs": [{"activity": "still", "for": "1 h", "sky": "indoors"}]},
       "clients": [],
       "facts": [{"at": "0 s", "set": {"app.state": "background", "screen.on": false, "battery.level": "80 %"}}]}
      """)
    var request = SimulationRequest(policies: [policy], scenario: scenario, seed: 1)
    request.trace = try temporaryFiles.file("track.csv", rows.joined(separator: "\n"))
    let report = try SimulationRun(request).run().report
    let away = try #require(report.rules[RuleID(policy: "hours", rule: "away")])
    #expect((1560...1680).contains(away.inForce.seconds), "\(away.inForce.seconds) s")
  }
}
