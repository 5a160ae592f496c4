/// The instruction set: the one table from which the enum, the file format, the verifier's bounds, the disassembler
/// and the document come.
///
/// A test generates `Instruction.swift` and `grammar/instructions.md` from it and compares.
public enum InstructionSet {
  /// Every instruction, by opcode.
  public static let forms: [InstructionForm] = readers + logic + temporal

  private static let readers: [InstructionForm] = [
    form(1, "constant", [part(.constant)], pushes: .any, "Pushes a constant."),
    form(2, "fact", [part(.fact)], pushes: .any, "Pushes the fresh value of one of the image's facts."),
    form(
      3, "known", [part(.fact)], pushes: .truth,
      "Pushes whether the fact has a fresh value; never unknown."),
    form(
      4, "age", [part(.fact), part(.comparison), part(.span, "span")], pushes: .truth,
      "Pushes how the fact's age compares with a span of the image."),
    form(
      5, "compareFact", printed: "compare", [part(.fact), part(.comparison), part(.constant, "constant")],
      pushes: .truth,
      "Pushes how a fact compares with a constant: the three commonest instructions in one."),
    form(
      6, "demanded", [part(.device)], pushes: .truth,
      "Pushes whether one of the image's devices is demanded; never unknown."),
    form(7, "schedule", [part(.schedule)], pushes: .truth, "Pushes whether local time lies in a schedule."),
    form(8, "window", [part(.slot)], pushes: .number, "Pushes the statistic of a window slot."),
  ]

  private static let logic: [InstructionForm] = [
    form(16, "not", [], pops: [.truth], pushes: .truth, "Pops a truth; pushes its opposite."),
    form(
      17, "and", [], pops: [.truth, .truth], pushes: .truth,
      "Pops two truths; pushes whether both hold: no as soon as one does not, even beside an unknown."),
    form(
      18, "or", [], pops: [.truth, .truth], pushes: .truth,
      "Pops two truths; pushes whether one holds: yes as soon as one does, even beside an unknown."),
    form(
      19, "compare", [part(.comparison)], pops: [.any, .any], pushes: .truth,
      "Pops two values; pushes how the deeper compares with the topmost."),
    form(
      20, "arithmetic", [part(.arithmetic)], pops: [.number, .number], pushes: .any,
      "Pops two numbers; pushes what they make, unknown where that is not finite: 0 / 0 is how unknown is written."
    ),
    form(21, "negate", [], pops: [.number], pushes: .number, "Pops a number; pushes it with the other sign."),
    form(
      22, "oneOf", printed: "one of", [part(.constant, "first"), part(.count, "count")], pops: [.any],
      pushes: .truth,
      "Pops a value; pushes whether it is one of `count` constants from `first` on."),
  ]

  private static let temporal: [InstructionForm] = [
    form(
      32, "latch", [part(.slot)], pops: [.number, .number, .number], pushes: .truth,
      "Pops release, threshold and value; pushes whether the latch slot is closed."),
    form(
      33, "heldFor", printed: "held for", [part(.slot)], pops: [.truth], pushes: .truth,
      "Pops a truth; pushes whether it held without a gap for the slot's span."),
    form(
      34, "inLast", printed: "in last", [part(.slot)], pops: [.truth], pushes: .truth,
      "Pops a truth; pushes whether it was true in the slot's span up to now."),
  ]

  /// By opcode: the place in `forms`, or -1.
  private static let places: [Int8] = {
    var places = [Int8](repeating: -1, count: 256)
    for (place, form) in forms.enumerated() { places[Int(form.opcode)] = Int8(place) }
    return places
  }()

  /// The form of an opcode; nil for a byte that begins no instruction.
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
