import StintModel
import StintRuntime
import StintTestSupport
import StintTools
import StintUnits
import Testing

/// A device of a third party, of which only the manifest is present.
struct ThirdPartyDevice: Sendable, CustomStringConvertible {
  var manifest: String
  /// The rules of a policy, one of which is named `rule`.
  var policy: String
  /// The entries of `values` in a scenario of two hours.
  var values: String
  /// The device that a client demands; nil for a source.
  var demanded: String?
  /// The settings of the demand.
  var wants = "\"rate\": \"1 Hz\""
  /// How often and how long the rule is in force in two hours.
  var activity: (count: Int, span: TimeSpan)

  var description: String { manifest }

  static let all = [
    ThirdPartyDevice(
      manifest: "Thermometer/manifest.json",
      policy: """
        use ambient.temperature as therm
        rule rule while therm.temperature < 5 C { downgrade therm to 1 per 5 min }
        test "rule applies below 5 C" {
          at 0 s attach "app" on therm with { rate 1 per 60 s }
          expect therm is on at 1 s
          expect therm.temperature < 5 C at 61 min because rule
        }
        """,
      values: """
        {"of": "ambient.temperature.temperature", "steps": [{"at": "0 s", "to": "20 C"}, {"at": "1 h", "to": "-3 C"}]}
        """, demanded: "ambient.temperature", activity: (1, .minutes(60))),
    ThirdPartyDevice(
      manifest: "Gpsd/manifest.json",
      policy: """
        use location.gnss as gps
        rule rule while gps.accuracy > 50 m { downgrade gps to 1 per 5 s }
        test "rule applies at an accuracy above 50 m" {
          at 0 s attach "app" on gps with { accuracy 10 m }
          expect gps.accuracy < 50 m at 10 min
          expect gps.accuracy > 50 m at 80 min because rule
        }
        """,
      values: """
        {"of": "location.gnss.accuracy", "ramp": {"from": "0 m", "to": "100 m", "over": "2 h"}}
        """, demanded: "location.gnss",
      wants: "\"accuracy\": \"5 m\"", activity: (1, .seconds(3600))),
    ThirdPartyDevice(
      manifest: "PowerSupply/manifest.json",
      policy: """
        use location.gnss as gps
        rule rule while battery.level < 20 % { stop gps }
        test "rule applies below 20 % battery" {
          expect battery.level > 50 % at 5 min
          expect battery.level < 20 % at 91 min because rule
        }
        """,
      values: """
        {"of": "battery.level", "ramp": {"from": "90 %", "to": "10 %", "over": "90 min"}}
        """, activity: (1, .seconds(2475))),
    ThirdPartyDevice(
      manifest: "IIO/Manifests/accelerometer.json",
      policy: """
        use motion.accelerometer as accel
        rule rule while motion.activity is still { downgrade accel to 1 Hz }
        test "rule applies at rest" {
          at 0 s attach "app" on accel with { rate 10 Hz }
          expect motion.activity is walking at 30 min
          expect motion.activity is still at 61 min because rule
        }
        """,
      values: """
        {"of": "motion.activity", "steps": [{"at": "0 s", "to": "walking"}, {"at": "1 h", "to": "still"}]},
        {"of": "motion.accelerometer.x", "sine": {"mean": "0 m/s2", "swing": "1 m/s2", "period": "2 s"}}
        """, demanded: "motion.accelerometer", activity: (1, .minutes(60))),
    ThirdPartyDevice(
      manifest: "IIO/Manifests/gyroscope.json",
      policy: """
        use motion.gyro as gyro
        rule rule always { downgrade gyro to 5 Hz }
        test "a client turns the gyroscope on" {
          at 0 s attach "app" on gyro with { rate 50 Hz }
          expect gyro.on at 1 s
        }
        """,
      values: """
        {"of": "motion.gyro.x", "constant": "90 deg/s", "noise": {"sd": "1 deg/s", "seed": 4}}
        """, demanded: "motion.gyro", activity: (1, .hours(2))),
    ThirdPartyDevice(
      manifest: "IIO/Manifests/magnetometer.json",
      policy: """
        use motion.magnetometer as compass
        rule rule always { downgrade compass to 1 Hz }
        test "a client turns the magnetometer on" {
          at 0 s attach "app" on compass with { rate 5 Hz }
          expect compass.on at 1 s
        }
        """,
      values: """
        {"of": "motion.magnetometer.x", "ramp": {"from": "-40 uT", "to": "40 uT", "over": "1 min", "repeat": true}}
        """, demanded: "motion.magnetometer", activity: (1, .hours(2))),
  ]
}

@Suite("Policies for devices of third parties, with only their manifests")
struct ThirdPartyDeviceTests {
  private let temporaryFiles = TemporaryFiles()

  private func folder(with manifest: String) throws -> String {
    let folder = temporaryFiles.path("manifests")
    try Folder.make(folder)
    let text = try FileText.read(Repository.path("Plugins/" + manifest))
    try FileText.write(text, to: folder + "/manifest.json")
    return folder
  }

  private func scenario(_ device: ThirdPartyDevice) throws -> String {
    let demands = device.demanded.map { "{\"target\": \"\($0)\", \"with\": {\(device.wants)}}" } ?? ""
    return try temporaryFiles.file(
      "scenario.json",
      """
      {"stint_scenario": 1, "name": "third", "start": "2026-05-16T00:00:00Z", "duration": "2 h",
       "world": {"origin": [47, 8]}, "clients": [{"name": "app", "demands": [\(demands)]}],
       "values": [\(device.values)]}
      """)
  }

  @Test("a policy is checked, tested and simulated with a manifest alone", arguments: ThirdPartyDevice.all)
  func life(device: ThirdPartyDevice) throws {
    let manifests = try folder(with: device.manifest)
    let path = try temporaryFiles.file("third.stint", "policy \"third\" version 1\n\(device.policy)\n")
    let scenario = try scenario(device)
    let vocabulary = try PolicyDevices(site: nil, manifests: manifests, linked: []).vocabulary
    let sources = try PolicyFiles.read([path])
    let check = PolicyCheck(sources, vocabulary: vocabulary)
    let hasErrors = check.hasErrors
    #expect(!hasErrors, "\(check.text())")
    let tests = try PolicyTests(
      sources, vocabulary: vocabulary, circumstances: try TestCircumstances(scenario: scenario)
    ).run()
    #expect(tests.outcomes.count == 1 && tests.failures == 0, "\(tests.text())")
    let request = SimulationRequest(policies: [path], scenario: scenario, manifests: manifests)
    let report = try SimulationRun(request).run().report
    let rule = try #require(report.rules[RuleID(policy: "third", rule: "rule")])
    #expect(rule.activations == device.activity.count)
    let difference = rule.inForce - device.activity.span
    #expect(max(difference, TimeSpan.zero - difference) <= .minutes(2), "\(rule.inForce)")
    #expect(report.refusals.isEmpty, "\(report.refusals)")
  }

  @Test("a stuck thermometer keeps its last value, and the rule that reads it does not become active")
  func fault() throws {
    let device = ThirdPartyDevice.all[0]
    let manifests = try folder(with: device.manifest)
    let path = try temporaryFiles.file("third.stint", "policy \"third\" version 1\n\(device.policy)\n")
    let healthy = String(decoding: try FileText.read(try scenario(device)), as: UTF8.self)
    let faulty = try temporaryFiles.file(
      "faulty.json",
      healthy.replacing(
        "\"values\"",
        with:
          "\"faults\": [{\"device\": \"ambient.temperature\", \"at\": \"50 min\", \"for\": \"2 h\", \"kind\": \"stuck\"}],"
          + " \"values\""))
    let report = try SimulationRun(
      SimulationRequest(policies: [path], scenario: faulty, manifests: manifests)
    ).run().report
    #expect(report.rules[RuleID(policy: "third", rule: "rule")]?.activations == 0)
    let circumstances = try TestCircumstances(scenario: faulty)
    let vocabulary = try PolicyDevices(site: nil, manifests: manifests, linked: []).vocabulary
    let tests = try PolicyTests(
      PolicyFiles.read([path]), vocabulary: vocabulary, circumstances: circumstances
    ).run()
    #expect(tests.failures == 1)
  }
}
