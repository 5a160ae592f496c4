/// One row of the instruction set: what an instruction is called, carries, pops and pushes.
public struct InstructionForm: Hashable, Sendable {
  /// What a number in an instruction means; it bounds the number.
  public enum Operand: String, Hashable, Sendable, CaseIterable {
    /// A place in the image's table of that name.
    case constant, fact, device, schedule, span
    /// A place among the image's slots, of the kind that the instruction is for.
    case slot
    /// How many entries of a table, from the place before on.
    case count
    /// The number of a way to compare, or to calculate.
    case comparison, arithmetic
  }

  /// What a place of the stack holds.
  public enum Value: String, Hashable, Sendable, CaseIterable {
    /// 1, 0, or unknown.
    case truth
    /// A number, a word's index, or unknown.
    case number
    /// Either: what a fact holds is known to the vocabulary, not to the image.
    case any
  }

  /// A number that the instruction carries.
  public struct Part: Hashable, Sendable {
    public var operand: Operand
    /// The label of the enum's case; nil for none.
    public var label: String?

    /// Makes a part.
    public init(_ operand: Operand, label: String? = nil) {
      self.operand = operand
      self.label = label
    }
  }

  /// The byte that begins it in a file; never given to another.
  public var opcode: UInt8
  /// The name of the enum's case.
  public var name: String
  /// How it is printed.
  public var mnemonic: String
  public var parts: [Part]
  /// From the deepest to the topmost.
  public var pops: [Value]
  public var pushes: Value
  /// What it does, one sentence.
  public var meaning: String
  /// The bytes that it takes in a file.
  public var size: Int { 1 + parts.reduce(0) { $0 + $1.operand.size } }
}

extension InstructionForm.Operand {
  /// The bytes that it takes in a file.
  public var size: Int {
    switch self {
    case .comparison, .arithmetic: 1
    case .constant, .fact, .device, .schedule, .span, .slot, .count: 4
    }
  }
}
