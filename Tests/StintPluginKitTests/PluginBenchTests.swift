import StintModel
import StintPluginKit
import StintUnits
import Testing

@Suite struct PluginBenchTests {
  @Test("a bench records samples and states, and its energy is the sum over the states")
  func energy() async throws {
    var bench = PluginBench(Thermometer(), at: .epoch)
    try await bench.open()
    try await bench.apply(Setting(isOn: true, period: .seconds(2)))
    await bench.advance(by: .seconds(10))
    try await bench.apply(.off)
    await bench.advance(by: .seconds(10))
    #expect(bench.energy(since: .epoch) == Energy(nanojoules: 10_000_000))
    #expect(bench.samples.map(\.instant.nanoseconds) == [2, 4, 6, 8, 10].map { $0 * 1_000_000_000 })
    #expect(bench.states.map(\.name) == ["warming", "reading", "off"])
    #expect(bench.values(of: "value").count == 5)
  }

  @Test("held samples are delivered when the host calls `drain`, or when the FIFO is full")
  func heldSamples() async throws {
    var bench = PluginBench(Thermometer(), at: .epoch)
    try await bench.open()
    try await bench.apply(Setting(isOn: true, period: .seconds(1), isHolding: true))
    await bench.advance(by: .seconds(25))
    await bench.drain(reason: .flushed)
    #expect(bench.batches.map(\.reason) == [.full, .flushed])
    #expect(bench.batches.map(\.samples.count) == [20, 5])
  }

  @Test("the description of an error contains device, cause and remedy")
  func errorDescription() {
    let error = Problem(.absent, device: "test.one", cause: "nothing answers", remedy: "plug it in")
    #expect(error.description == "test.one: nothing answers; plug it in")
    #expect(Problem(.broken, device: "a", cause: "b").description == "a: b")
  }
}
