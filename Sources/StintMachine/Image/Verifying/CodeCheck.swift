import StintModel
import StintUnits

/// Checks the depth of the stack and the type of each value on it, without running the code.
struct CodeCheck {
  let image: Image
  /// The type of each of the image's facts.
  let facts: [InstructionForm.Value]

  /// Throws unless the code leaves exactly one Boolean value and all its operands are valid. Empty code is
  /// valid.
  func check(_ code: Range<Int>, _ owner: () -> String) throws(Problem) {
    guard !code.isEmpty else { return }
    try ImageVerifier.require(
      code.lowerBound >= 0 && code.upperBound <= image.code.count, .index, owner(),
      "its code range is \(code)")
    var stack: [InstructionForm.Value] = []
    stack.reserveCapacity(PolicyLimits.maxStackDepth + 1)
    for number in code {
      let instruction = image.code[number]
      guard let form = InstructionSet.form(instruction.opcode) else {
        preconditionFailure("every opcode has a form")
      }
      func place() -> String { "\(owner()), instruction \(number)" }
      try checkWords(of: instruction, form, place)
      try ImageVerifier.require(stack.count >= form.pops.count, .stack, place(), "it pops an empty stack")
      for (due, found) in zip(form.pops, stack.suffix(form.pops.count)) {
        try ImageVerifier.require(
          due.takes(found), .unit, place(),
          "“\(form.mnemonic)” expects a \(due.rawValue), found a \(found.rawValue)")
      }
      stack.removeLast(form.pops.count)
      stack.append(pushed(by: instruction, form))
      try ImageVerifier.require(
        stack.count <= PolicyLimits.maxStackDepth, .stack, place(),
        "the stack exceeds \(PolicyLimits.maxStackDepth) values")
    }
    try ImageVerifier.require(stack.count == 1, .stack, owner(), "its code leaves \(stack.count) values")
    try ImageVerifier.require(
      InstructionForm.Value.truth.takes(stack[0]), .unit, owner(), "its condition is a number")
  }

  private func pushed(by instruction: Instruction, _ form: InstructionForm) -> InstructionForm.Value {
    if case .fact(let place) = instruction { facts[place] } else { form.pushes }
  }

  /// Throws unless each operand of an instruction lies in its range and each slot has the expected kind.
  private func checkWords(of instruction: Instruction, _ form: InstructionForm, _ place: () -> String)
    throws(Problem)
  {
    let words = instruction.words
    for (number, part) in form.parts.enumerated() {
      let word = number == 0 ? words.0 : number == 1 ? words.1 : words.2
      let entries: Int
      switch part.operand {
      case .comparison, .arithmetic: continue
      case .constant: entries = image.constants.count + (form.parts.last?.operand == .count ? 1 : 0)
      case .fact: entries = image.facts.count
      case .device: entries = image.devices.count
      case .schedule: entries = image.schedules.count
      case .span: entries = image.spans.count
      case .slot: entries = image.slots.count
      case .count:
        // The count refers to constants, beginning at the index in the first operand.
        entries = image.constants.count - words.0 + 1
      }
      try ImageVerifier.require(
        (0..<max(entries, 0)).contains(word), .index, place(),
        part.operand == .count
          ? "the count \(word) goes past the last constant" : "there is no \(part.operand.rawValue) \(word)")
      guard part.operand == .slot else { continue }
      try ImageVerifier.require(
        fits(instruction, image.slots[word].kind), .slot, place(),
        "the kind of slot \(word) does not fit this instruction")
    }
  }

  private func fits(_ instruction: Instruction, _ kind: ImageSlot.Kind) -> Bool {
    switch (instruction, kind) {
    case (.latch, .latch), (.heldFor, .heldFor), (.inLast, .inLast), (.window, .window): true
    default: false
    }
  }
}

extension InstructionForm.Value {
  /// Returns whether a value of type `found` is acceptable where this type is expected.
  fileprivate func takes(_ found: Self) -> Bool { self == .any || found == .any || self == found }
}
