import StintMachine

/// Generates the enum `Instruction` and `grammar/instructions.md` from `InstructionSet.forms`.
enum InstructionSource {
  static var enumeration: String {
    var lines = [
      "// Generated from `InstructionSet.forms` by InstructionSetTests when `STINT_RECORD` is 1.",
      "public import StintModel", "",
      "/// One instruction of a condition.", "///",
      "/// Code has no jumps. Operators pop their operands from the stack and push one result.",
      "/// True is 1, false is 0, a symbol is its index, and unknown is NaN.",
      "public enum Instruction: Hashable, Sendable {",
    ]
    for form in InstructionSet.forms {
      lines.append("  /// \(form.meaning)")
      lines.append("  case \(form.name)\(parameters(form))")
    }
    lines += [
      "", "  /// The first byte of the instruction in a file.", "  public var opcode: UInt8 {",
      "    switch self {",
    ]
    lines += InstructionSet.forms.map { "    case .\($0.name): \($0.opcode)" }
    lines += ["    }", "  }", ""]
    lines += [
      "  /// The number of values that the instruction pops. Every instruction pushes one value.",
      "  public var operands: Int {",
      "    switch self {",
    ]
    let counts = Set(InstructionSet.forms.map(\.pops.count)).sorted()
    for count in counts {
      let names = InstructionSet.forms.filter { $0.pops.count == count }.map { ".\($0.name)" }
      lines.append("    case \(names.joined(separator: ", ")): \(count)")
    }
    lines += ["    }", "  }", ""]
    lines += words
    lines += initializer
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static var words: [String] {
    var lines = [
      "  /// The operands in the order of the instruction's form; 0 for operands that it does not have.",
      "  public var words: (Int, Int, Int) {", "    switch self {",
    ]
    for form in InstructionSet.forms where !form.parts.isEmpty {
      let names = Array("abc".prefix(form.parts.count)).map(String.init)
      let bound = names.map { "let \($0)" }.joined(separator: ", ")
      let values = zip(names, form.parts).map { number($0, $1.operand) }
      let padded = (values + ["0", "0"]).prefix(3).joined(separator: ", ")
      lines.append("    case .\(form.name)(\(bound)): (\(padded))")
    }
    let bare = InstructionSet.forms.filter(\.parts.isEmpty).map { ".\($0.name)" }.joined(separator: ", ")
    return lines + ["    case \(bare): (0, 0, 0)", "    }", "  }", ""]
  }

  private static func number(_ name: String, _ operand: InstructionForm.Operand) -> String {
    operand.size == 1 ? "\(name).number" : name
  }

  private static var initializer: [String] {
    var lines = [
      "  /// Creates an instruction from its opcode and operands; nil for an unknown opcode or operation.",
      "  public init?(opcode: UInt8, _ words: (Int, Int, Int)) {", "    switch opcode {",
    ]
    for form in InstructionSet.forms {
      let guards = form.parts.enumerated().filter { $1.operand.size == 1 }.map { place, part in
        "let \(part.operand.rawValue) = \(type(part.operand))(number: words.\(place))"
      }
      if !guards.isEmpty {
        lines += [
          "    case \(form.opcode):", "      guard \(guards.joined(separator: ", ")) else { return nil }",
          "      self = .\(form.name)\(arguments(form))",
        ]
      } else {
        lines.append("    case \(form.opcode): self = .\(form.name)\(arguments(form))")
      }
    }
    return lines + ["    default: return nil", "    }", "  }"]
  }

  private static func arguments(_ form: InstructionForm) -> String {
    guard !form.parts.isEmpty else { return "" }
    let values = form.parts.enumerated().map { place, part in
      (part.label.map { "\($0): " } ?? "")
        + (part.operand.size == 1 ? part.operand.rawValue : "words.\(place)")
    }
    return "(\(values.joined(separator: ", ")))"
  }

  private static func parameters(_ form: InstructionForm) -> String {
    guard !form.parts.isEmpty else { return "" }
    let types = form.parts.map { part in (part.label.map { "\($0): " } ?? "") + type(part.operand) }
    return "(\(types.joined(separator: ", ")))"
  }

  private static func type(_ operand: InstructionForm.Operand) -> String {
    switch operand {
    case .comparison: "Comparison"
    case .arithmetic: "Arithmetic"
    default: "Int"
    }
  }
}

extension InstructionSource {
  /// The text of `grammar/instructions.md`, with one row per instruction.
  static var document: String {
    var lines = [
      "# Instructions", "",
      "This page is generated from `InstructionSet.forms`, as are the enum, the file format, the verifier's",
      "bounds and the disassembler. Code has no jumps: an instruction pops values that earlier instructions",
      "pushed, and a condition leaves one Boolean. In a file, an instruction is its opcode followed by its",
      "operands in little-endian order: indexes have four bytes, comparisons and operations one.", "",
      "| opcode | printed as | operands | pops | pushes | meaning |", "|---|---|---|---|---|---|",
    ]
    for form in InstructionSet.forms {
      let parts = form.parts.map { part in part.operand.rawValue }.joined(separator: ", ")
      let pops = form.pops.map(\.rawValue).joined(separator: ", ")
      lines.append(
        "| \(form.opcode) | `\(form.mnemonic)` | \(parts) | \(pops) | \(form.pushes.rawValue) | \(form.meaning) |"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
