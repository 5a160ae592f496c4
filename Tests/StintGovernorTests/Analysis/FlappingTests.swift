import StintLanguage
import StintModel
import StintUnits
import Testing

@Suite struct FlappingTests {
  private let vocabulary = TrialDevices.vocabulary

  private func findings(_ body: String) throws -> (policies: [CheckedPolicy], flapping: [Finding]) {
    let checked = Checker.check([PlantedDeadEnd.source(body)], vocabulary: vocabulary)
    let errors = checked.diagnostics.filter { $0.severity == .error }
    try #require(errors.isEmpty, "\(errors.map(\.title))")
    let found = Analysis.run(checked.policies, vocabulary: vocabulary)
    return (checked.policies, found.filter { $0.diagnostic.code == .flapping })
  }

  @Test(
    "W14: while a fact alternates between the two values in the finding, the device switches each time",
    arguments: [
      "rule a while place.accuracy > 200 m { stop gps }",
      "rule a while not place.accuracy <= 200 m and app.state is background { pause gps }",
      "rule a while screen.on and place.accuracy below 40 m { start gps for \"map\" }\nrule b while not demanded(place) or screen.on { stop gps except \"map\" }",
      "rule a while place.accuracy * 2 > 80 m and place.accuracy < 1 km { stop gps }",
      "rule a while place.accuracy > 200 m or battery.level < 20 % for 2 min { stop gps }",
    ])
  func reproduced(_ body: String) throws {
    let (policies, found) = try findings(body)
    let witness = try #require(found.first?.witness)
    #expect(found.count == 1)
    var now = Instant(nanoseconds: 1_000_000_000_000)
    var trial = try PolicyTrial(policies, vocabulary: vocabulary, at: now)
    let gnss = try #require(vocabulary.device("location.gnss"))
    if !body.contains("start gps") { trial.demandSensors() }
    for reading in witness.readings.dropLast(2) where reading.value != .unknown {
      trial.set(try #require(vocabulary.fact(reading.path)), reading.value, at: now)
    }
    let fact = try #require(vocabulary.fact("location.wifi.accuracy"))
    let before = trial.switches[gnss]
    for step in 0..<20 {
      now = now + .seconds(1)
      trial.set(fact, witness.readings.suffix(2).map(\.value)[step % 2], at: now)
    }
    #expect(trial.switches[gnss] - before >= 9)
  }

  @Test(
    "rules that cannot switch a device on and off repeatedly give no flapping finding",
    arguments: [
      "rule a while place.accuracy above 200 m release 150 m { stop gps }",
      "rule a while place.accuracy > 200 m for 1 min { stop gps }",
      "rule a when place.accuracy > 200 m { stop gps for 5 min }",
      "rule a when place.accuracy > 200 m at most 1 per 10 min { flush cell }",
      "rule a while place.accuracy > 200 m { downgrade gps to 500 m }",
      "rule a while battery.level < 20 % { stop gps }",
      "rule a while place.accuracy > 200 m and battery.level > 100 % { stop gps }",
      "rule a while avg(place.accuracy, 5 min) > 200 m { stop gps }",
    ])
  func steady(_ body: String) throws { #expect(try findings(body).flapping.isEmpty) }
}
