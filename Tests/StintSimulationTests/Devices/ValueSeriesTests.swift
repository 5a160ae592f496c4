import StintFormats
import StintModel
import StintServices
import StintTestSupport
import StintUnits
import Testing

@testable import StintSimulation

@Suite("The values of simulated devices over time")
struct ValueSeriesTests {
  private let temporaryFiles = TemporaryFiles()
  private let start = Laboratory.start
  private let schema = FactSchema(path: "a.t", type: .quantity(.temperature), range: -50...50)

  private func series(
    _ shape: ScriptedValue.Shape, noise: ScriptedValue.Noise? = nil, seed: UInt64 = 1
  ) throws -> ValueSeries {
    try ValueSeries(
      ScriptedValue(path: "a.t", shape: shape, noise: noise), of: schema, start: start, seed: seed)
  }

  private func numbers(_ series: ValueSeries, _ seconds: [Int64]) -> [Double?] {
    seconds.map { second in
      if case .number(let number) = series.value(at: start + .seconds(second)) { number } else { nil }
    }
  }

  @Test(
    "a ramp is linear; after its end, a repeated ramp begins again, and any other ramp keeps its last value")
  func ramp() throws {
    let once = ScriptedValue.Shape.ramp(from: "10 C", to: "30 C", over: .seconds(100), isRepeated: false)
    #expect(numbers(try series(once), [0, 25, 100, 130]) == [10, 15, 30, 30])
    let again = ScriptedValue.Shape.ramp(from: "10 C", to: "30 C", over: .seconds(100), isRepeated: true)
    #expect(numbers(try series(again), [0, 25, 100, 130]) == [10, 15, 10, 16])
  }

  @Test("a sine has its largest value at its peak, and the same value one period later")
  func sine() throws {
    let shape = ScriptedValue.Shape.sine(
      mean: "15 C", swing: "6 C", period: .hours(24), peak: .hours(15))
    let values = numbers(try series(shape), [15 * 3600, 3 * 3600, 9 * 3600, 39 * 3600])
    #expect(values == [21, 9, 15, 21])
  }

  @Test(
    "noise depends only on its seed and the instant, and a value with noise stays in the range of its fact")
  func noise() throws {
    let shape = ScriptedValue.Shape.steps([ScriptedValue.Step(at: .zero, text: "49 C")])
    let first = try series(shape, noise: ScriptedValue.Noise(deviation: "2 C", seed: 7), seed: 1)
    let second = try series(shape, noise: ScriptedValue.Noise(deviation: "2 C", seed: 7), seed: 2)
    let third = try series(shape, noise: ScriptedValue.Noise(deviation: "2 C"), seed: 2)
    let seconds = Array(Int64(0)...200)
    #expect(numbers(first, seconds) == numbers(second, seconds.reversed()).reversed())
    #expect(numbers(first, seconds) != numbers(third, seconds))
    let values = numbers(first, seconds).compactMap(\.self)
    #expect(values.max() == 50 && (values.min() ?? 50) < 47 && values.count == 201)
  }

  @Test("a value of a table is valid until the next row; an empty field means unknown; a table can repeat")
  func table() throws {
    let path = try temporaryFiles.file("t.csv", "t_s,c,other\n10,1,x\n20,,y\n30,-2.5,z\n40,9,z\n")
    func shape(_ repeats: Bool) -> ScriptedValue.Shape {
      .table(file: path, column: "c", unit: "C", isRepeated: repeats)
    }
    #expect(numbers(try series(shape(false)), [0, 10, 19, 25, 30, 50]) == [nil, 1, 1, nil, -2.5, 9])
    #expect(numbers(try series(shape(true)), [50, 65, 70, 80]) == [1, nil, -2.5, nil])
    let once = try series(shape(false))
    #expect(once.nextChange(after: start + .seconds(10), every: .seconds(1)) == start + .seconds(20))
    #expect(once.nextChange(after: start + .seconds(40), every: .seconds(1)) == nil)
    let again = try series(shape(true))
    #expect(again.nextChange(after: start + .seconds(75), every: .seconds(1)) == start + .seconds(80))
  }

  @Test(
    "a table with wrong values is refused with the reason",
    arguments: [
      ("t_s,c\n0,hot\n", "“hot C” is not a value of a.t"), ("t_s,c\n0,51\n", "“51 C” is not a value of a.t"),
      ("t_s,c\n5,1\n4,1\n", "the time decreases by 1 s"), ("t_s,d\n0,1\n", "no column is named “c”"),
      ("t_s,c\n", "the file has no rows"),
    ])
  func refused(text: String, cause: String) throws {
    let path = try temporaryFiles.file("t.csv", text)
    let problem = try #require(throws: Problem.self) {
      try series(.table(file: path, column: "c", unit: "C", isRepeated: false))
    }
    #expect("\(problem)".contains(cause), "\(problem)")
  }

  @Test("a relative path in a scenario begins in the folder of the scenario; a constant value can have noise")
  func relative() throws {
    let path = try temporaryFiles.file(
      "s.json",
      """
      {"stint_scenario": 1, "name": "s", "start": "2026-05-16T00:00:00Z", "duration": "1 h",
       "world": {"origin": [47, 8]},
       "values": [{"of": "a.t", "csv": {"file": "room.csv", "column": "c", "unit": "C", "repeat": true}},
                  {"of": "b.on", "constant": true, "noise": {"sd": "1 C"}}]}
      """)
    let scenario = try ScenarioReader.scenario(path: path, requests: .all)
    #expect(
      scenario.values == [
        ScriptedValue(
          path: "a.t",
          shape: .table(file: "/tmp/room.csv", column: "c", unit: "C", isRepeated: true)),
        ScriptedValue(
          path: "b.on", shape: .steps([ScriptedValue.Step(at: .zero, text: "true")]),
          noise: ScriptedValue.Noise(deviation: "1 C")),
      ])
  }
}
