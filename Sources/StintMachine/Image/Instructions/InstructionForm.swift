/// One row of the instruction set: name and opcode of an instruction, its operands, and its effect on the
/// stack.
public struct InstructionForm: Hashable, Sendable {
  /// The meaning of an operand of an instruction. The meaning determines the range of the operand.
  public enum Operand: String, Hashable, Sendable, CaseIterable {
    /// An index into an array of the image: `constants`, `facts`, `devices`, `schedules` or `spans`.
    case constant, fact, device, schedule, span
    /// An index into the slots of the image; the slot must have the kind that the instruction expects.
    case slot
    /// The number of array entries, counted from the entry at the preceding index.
    case count
    /// The code of a comparison or of an arithmetic operation.
    case comparison, arithmetic
  }

  /// The type of a value on the stack.
  public enum Value: String, Hashable, Sendable, CaseIterable {
    /// A Boolean value: 1, 0, or unknown.
    case truth = "Boolean"
    /// A number, the index of a symbol, or unknown.
    case number
    /// A Boolean value or a number. Facts have this type when an image is verified without a vocabulary,
    /// because the image does not contain the types of facts.
    case any
  }

  /// An operand of the instruction.
  public struct Part: Hashable, Sendable {
    /// The meaning of the operand.
    public var operand: Operand
    /// The label of the operand in the enum case; nil without a label.
    public var label: String?

    /// Creates an operand.
    public init(_ operand: Operand, label: String? = nil) {
      self.operand = operand
      self.label = label
    }
  }

  /// The first byte of the instruction in a file. An opcode is never reused.
  public var opcode: UInt8
  /// The name of the case in the enum `Instruction`.
  public var name: String
  /// The name in the output of the disassembler.
  public var mnemonic: String
  /// The operands, in the order of their encoding; at most three.
  public var parts: [Part]
  /// The types of the values that the instruction pops, from the deepest to the topmost.
  public var pops: [Value]
  /// The type of the value that the instruction pushes.
  public var pushes: Value
  /// One sentence that describes the effect of the instruction.
  public var meaning: String
}

extension InstructionForm.Operand {
  /// The encoded size in bytes.
  public var size: Int {
    switch self {
    case .comparison, .arithmetic: 1
    case .constant, .fact, .device, .schedule, .span, .slot, .count: 4
    }
  }
}
