import StintGovernor
import StintModel
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct PresenceCodingTests {
  @Test("the presence of a client is journalled as an input and read back")
  func coding() throws {
    for isInBackground in [nil, true, false] {
      let input = Input.presence("app", isInBackground: isInBackground)
      var writer = ByteWriter()
      input.write(to: &writer)
      var reader = ByteReader(writer.bytes)
      #expect(try Input(from: &reader) == input)
    }
  }

  @Test("the inputs of a snapshot contain the presence of each client that has a presence")
  func snapshot() {
    var governor = Governor(vocabulary: Vocabulary(manifests: []), at: .epoch)
    _ = governor.step(
      [
        .presence("b", isInBackground: true), .presence("a", isInBackground: false),
        .presence("c", isInBackground: true), .presence("c", isInBackground: nil),
      ], at: .epoch)
    #expect(
      governor.snapshotInputs == [
        .presence("a", isInBackground: false), .presence("b", isInBackground: true),
      ])
  }
}
