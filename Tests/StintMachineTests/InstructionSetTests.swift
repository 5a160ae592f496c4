import StintMachine
import StintModel
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("The instruction set")
struct InstructionSetTests {
  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  private static let isRecording = getenv("STINT_RECORD").map { String(cString: $0) } == "1"

  /// Returns the content of a file. When STINT_RECORD is 1, writes `text` to the file first.
  private func kept(_ path: String, _ text: String) -> String? {
    let path = Self.root + "/" + path
    if Self.isRecording, let file = fopen(path, "w") {
      fputs(text, file)
      fclose(file)
    }
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test("the enum `Instruction` equals the code generated from `InstructionSet.forms`")
  func enumeration() {
    let text = InstructionSource.enumeration
    #expect(kept("Sources/StintMachine/Image/Instructions/Instruction.swift", text) == text)
  }

  @Test("grammar/instructions.md equals the document generated from `InstructionSet.forms`")
  func document() {
    let text = InstructionSource.document
    #expect(kept("grammar/instructions.md", text) == text)
  }

  @Test("opcodes are unique and ascending, and names are unique")
  func unique() {
    let forms = InstructionSet.forms
    #expect(forms.map(\.opcode) == Set(forms.map(\.opcode)).sorted())
    #expect(Set(forms.map(\.name)).count == forms.count)
    #expect(forms.allSatisfy { InstructionSet.form($0.opcode) == $0 })
    #expect(forms.allSatisfy { $0.parts.count <= 3 })
  }

  @Test(
    "`Instruction(opcode:)` returns an instruction exactly for the opcodes of the table",
    arguments: UInt8.min...UInt8.max
  )
  func opcodes(byte: UInt8) {
    let instruction = Instruction(opcode: byte, (1, 1, 1))
    #expect((instruction != nil) == (InstructionSet.form(byte) != nil))
    guard let instruction, let form = InstructionSet.form(byte) else { return }
    #expect(instruction.opcode == byte)
    #expect(instruction.operands == form.pops.count)
    let words = [instruction.words.0, instruction.words.1, instruction.words.2]
    #expect(words == form.parts.map { _ in 1 } + Array(repeating: 0, count: 3 - form.parts.count))
  }

  @Test("`Instruction(opcode:)` returns nil for an unknown comparison or arithmetic operation")
  func operations() {
    for form in InstructionSet.forms {
      for (place, part) in form.parts.enumerated() where part.operand.size == 1 {
        var words = (0, 0, 0)
        if place == 0 { words.0 = 6 } else { words.1 = 6 }
        #expect(Instruction(opcode: form.opcode, words) == nil, "\(form.name)")
      }
    }
    #expect(Comparison.allCases.allSatisfy { Comparison(number: $0.number) == $0 })
    #expect(Arithmetic.allCases.allSatisfy { Arithmetic(number: $0.number) == $0 })
  }
}
