import Stint
import StintLanguage
import StintMachine
import StintModel
import StintPluginKit
import StintRuntime
import StintSimulation
import StintTestSupport
import StintUnits
import Testing

@Suite("Embedded images")
struct EmbeddedImageTests {
  @Test("an image has the effect of its policy text; a damaged image is refused with location and remedy")
  func image() async throws {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let plugins = try phone.plugins()
    let loader = PolicyLoader(vocabulary: Vocabulary(manifests: plugins.map(\.manifest)))
    let text = try FileText.read(Repository.path("policies/hiking.stint"))
    let file = try #require(
      loader.load([SourceText(file: "hiking.stint", bytes: text)]).imageFile(for: loader.vocabulary))
    let folder = TemporaryFolder()
    let path = folder.at("hiking.image")
    try FileText.write(file.bytes, to: path)

    let bus = try await Bus(
      plugins: .linked(plugins), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
    try await bus.load(policies: path)
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    try await app.withDemand(.location(accuracy: .meters(10), activity: .fitness)) { _ in
      #expect(await bus.why("location.gnss").contains("demanded by  trail-app #1"))
    }

    var damaged = file.bytes
    damaged[damaged.count - 1] ^= 1
    try FileText.write(damaged, to: path)
    let refusal = await #expect(throws: Problem.self) { try await bus.load(policies: path) }
    #expect(refusal?.code == .badPolicy)
    #expect(refusal?.description.contains("the rebuildable part") == true)
    #expect(refusal?.description.contains("compiles its policy texts again") == true)
    await bus.close()
  }

  @Test("the last loaded policy is in force, and loading a policy beyond a limit throws an error")
  func several() async throws {
    let scenario = try BuiltInScenarios.scenario(named: "day-hike")
    let folder = TemporaryFolder()
    var paths: [String] = []
    for number in 1...4 {
      let rule =
        number == 3
        ? "rule often every 1 ns { flush gps }" : "rule r\(number) always { downgrade gps to \(number)00 m }"
      paths.append(folder.at("p\(number).stint"))
      let text = "policy \"p\(number)\" version 1\nuse location.gnss as gps required\n\(rule)\n"
      try FileText.write(Array(text.utf8), to: paths[number - 1])
    }
    let phone = ReferencePhone(scenario, seed: 1, meter: EnergyMeter())
    let bus = try await Bus(
      plugins: .linked(try phone.plugins()), clock: .virtual(from: .nanoseconds(scenario.start.nanoseconds)))
    let refused = await #expect(throws: Problem.self) { try await bus.load(policies: paths[2]) }
    #expect(refused?.code == .badPolicy)
    #expect(refused?.description.contains("P0306") == true)
    try await bus.load(policies: paths[0])
    try await bus.load(policies: paths[1])
    try await bus.load(policies: paths[3])
    let app = try await bus.attach("trail-app", authorized: .whenInUse)
    try await app.withDemand(.location(accuracy: .meters(10), activity: .fitness)) { _ in
      let why = await bus.why("location.gnss")
      #expect(why.contains("p4/r4"))
      #expect(!why.contains("p1/r1"))
    }
    await bus.close()
  }
}
