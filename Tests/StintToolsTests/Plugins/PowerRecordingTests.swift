import StintModel
import StintPluginKit
import StintTestSupport
import StintUnits
import Testing

@testable import StintTools

@Suite struct PowerRecordingTests {
  private let manifest = Manifest(
    device: "test.sensor", kind: .sensor, title: "",
    states: [
      PowerState(name: "off", power: .zero, isOn: false),
      PowerState(name: "on", power: Power(nanowatts: 60_000_000), isOn: true),
    ], transitions: [Transition(from: 0, to: 1), Transition(from: 1, to: 0)])

  /// The sensor is off until 1 s, on until 3 s, and then off.
  private let events: [PortEvent] = [
    .outcome(.state(0, period: nil), at: Instant(nanoseconds: 0)),
    .outcome(.state(1, period: nil), at: Instant(nanoseconds: 1_000_000_000)),
    .outcome(.state(0, period: nil), at: Instant(nanoseconds: 3_000_000_000)),
  ]

  private func judge(_ watts: (Double) -> Double, each step: Double = 0.01) -> (
    checkedStates: Int, mismatch: String?
  ) {
    let readings = stride(from: 0.0, to: 5, by: step).map { second in
      PowerRecording.Reading(instant: Instant(nanoseconds: Int64(second * 1e9)), watts: watts(second))
    }
    return PowerRecording(readings: readings).judge(
      manifest, events, until: Instant(nanoseconds: 5_000_000_000))
  }

  @Test("F11: the power of each state in the manifest is compared with a meter's readings")
  func statePowers() {
    let (checkedStates, mismatch) = judge { $0 >= 1.02 && $0 < 3.02 ? 0.061 : 0.000_1 }
    #expect(checkedStates == 2)
    #expect(mismatch == nil)
    #expect(
      judge { $0 >= 1 && $0 < 3 ? 0.09 : 0 }.mismatch
        == "in the state “on” it draws 90 mW, but its manifest specifies 60 mW")
    #expect(
      judge { _ in 0.06 }.mismatch?.hasPrefix("in the state “off” it draws 60 mW") == true,
      "the device stays on")
    #expect(judge({ _ in 0.06 }, each: 2).checkedStates == 0, "too few readings decide nothing")
  }

  @Test("wrong input: the error for an invalid recording names the line")
  func wrongRecordings() throws {
    let temporaryFiles = TemporaryFiles()
    let valid = try temporaryFiles.file("valid", "seconds,watts\n1.5, 0.06\r\n2,0.05\n")
    #expect(try PowerRecording(path: valid).readings.map(\.watts) == [0.06, 0.05])
    for (text, line) in [
      ("1,2\nthree,4\n", 2), ("1,2\n0.5,2\n", 2), ("1,2\n3\n", 2), ("1,2\n3,nan\n", 2), ("1,2\n1e300,2\n", 2),
    ] {
      let path = try temporaryFiles.file("wrong", text)
      let error = #expect(throws: Problem.self) { try PowerRecording(path: path) }
      #expect(error?.description.contains("wrong:\(line):") == true, "\(text)")
    }
  }
}
