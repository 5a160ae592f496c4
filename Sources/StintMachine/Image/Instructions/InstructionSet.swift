/// The instruction set. The enum, the file format, the verifier's bounds, the disassembler and
/// `grammar/instructions.md` derive from this table.
///
/// A test generates `Instruction.swift` and `grammar/instructions.md` from the table and compares them with
/// the stored files.
public enum InstructionSet {
  /// All instructions, in the order of their opcodes.
  public static let forms: [InstructionForm] = readers + logic + temporal

  private static let readers: [InstructionForm] = [
    form(1, "constant", [part(.constant)], pushes: .any, "Pushes a constant."),
    form(
      2, "fact", [part(.fact)], pushes: .any,
      "Pushes the value of a fact; unknown when missing or too old."),
    form(
      3, "known", [part(.fact)], pushes: .truth,
      "Pushes whether the fact has a value that is not too old; never unknown."),
    form(
      4, "age", [part(.fact), part(.comparison), part(.span, "span")], pushes: .truth,
      "Pushes the result of comparing the age of a fact with a span."),
    form(
      5, "compareFact", printed: "compare", [part(.fact), part(.comparison), part(.constant, "constant")],
      pushes: .truth,
      "Pushes the result of comparing a fact with a constant; combines `fact`, `constant` and `compare`."),
    form(
      6, "demanded", [part(.device)], pushes: .truth,
      "Pushes whether a device is demanded, lingers or is on for another device's demand; never unknown."),
    form(7, "schedule", [part(.schedule)], pushes: .truth, "Pushes whether local time lies in a schedule."),
    form(8, "window", [part(.slot)], pushes: .number, "Pushes the statistic of a window slot."),
  ]

  private static let logic: [InstructionForm] = [
    form(16, "not", [], pops: [.truth], pushes: .truth, "Pops a Boolean; pushes its opposite."),
    form(
      17, "and", [], pops: [.truth, .truth], pushes: .truth,
      "Pops two Booleans; pushes whether both are true. False with an unknown gives false."),
    form(
      18, "or", [], pops: [.truth, .truth], pushes: .truth,
      "Pops two Booleans; pushes whether at least one is true. True with an unknown gives true."),
    form(
      19, "compare", [part(.comparison)], pops: [.any, .any], pushes: .truth,
      "Pops two values; pushes the result of comparing the deeper with the topmost."),
    form(
      20, "arithmetic", [part(.arithmetic)], pops: [.number, .number], pushes: .any,
      "Pops two numbers; pushes the result, or unknown when it is not finite, such as for 0 / 0."
    ),
    form(21, "negate", [], pops: [.number], pushes: .number, "Pops a number; pushes its negation."),
    form(
      22, "oneOf", printed: "one of", [part(.constant, "first"), part(.count, "count")], pops: [.any],
      pushes: .truth,
      "Pops a value; pushes whether it equals one of `count` constants from the given index on."),
  ]

  private static let temporal: [InstructionForm] = [
    form(
      32, "latch", [part(.slot)], pops: [.number, .number, .number], pushes: .truth,
      "Pops release, threshold and value; pushes true from passing the threshold until passing the release."),
    form(
      33, "heldFor", printed: "held for", [part(.slot)], pops: [.truth], pushes: .truth,
      "Pops a Boolean; pushes whether it was true for the slot's span; a tolerated unknown counts as true."),
    form(
      34, "inLast", printed: "in last", [part(.slot)], pops: [.truth], pushes: .truth,
      "Pops a Boolean; pushes whether it was true at any time in the slot's span, which ends now."),
  ]

  /// The index into `forms` for each opcode; -1 for an unused opcode.
  private static let places: [Int8] = {
    var places = [Int8](repeating: -1, count: 256)
    for (place, form) in forms.enumerated() { places[Int(form.opcode)] = Int8(place) }
    return places
  }()

  /// Returns the form of an opcode; nil for an unused opcode.
  public static func form(_ opcode: UInt8) -> InstructionForm? {
    let place = places[Int(opcode)]
    return place < 0 ? nil : forms[Int(place)]
  }

  // MARK: Writing rows

  private static func part(_ operand: InstructionForm.Operand, _ label: String? = nil) -> InstructionForm.Part
  {
    InstructionForm.Part(operand, label: label)
  }

  private static func form(
    _ opcode: UInt8, _ name: String, printed mnemonic: String? = nil, _ parts: [InstructionForm.Part],
    pops: [InstructionForm.Value] = [], pushes: InstructionForm.Value, _ meaning: String
  ) -> InstructionForm {
    InstructionForm(
      opcode: opcode, name: name, mnemonic: mnemonic ?? name, parts: parts, pops: pops, pushes: pushes,
      meaning: meaning)
  }
}
