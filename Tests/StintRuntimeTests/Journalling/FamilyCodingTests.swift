import StintGovernor
import StintModel
import StintUnits
import Testing

@testable import StintRuntime

@Suite struct FamilyCodingTests {
  @Test("a fact of a family is journalled with its key and read back")
  func coding() throws {
    for value in [FactValue.unknown, .boolean(true), .number(1.5), .symbol(2)] {
      let input = Input.keyed(family: 3, key: "4711", value)
      var writer = ByteWriter()
      input.write(to: &writer)
      var reader = ByteReader(writer.bytes)
      #expect(try Input(from: &reader) == input)
    }
  }
}
