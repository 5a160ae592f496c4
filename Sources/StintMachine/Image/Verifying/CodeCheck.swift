import StintModel
import StintUnits

/// Follows a straight line of code without running it: how deep its stack is at each place, and what lies on it.
struct CodeCheck {
  let image: Image
  /// What each of the image's facts holds.
  let facts: [InstructionForm.Value]

  /// Fails unless the code leaves one truth, and everything that it names is there.
  func check(_ code: Range<Int>, _ owner: () -> String) throws(Problem) {
    guard !code.isEmpty else { return }
    try ImageVerifier.require(
      code.lowerBound >= 0 && code.upperBound <= image.code.count, .index, owner(), "it has code \(code)")
    var stack: [InstructionForm.Value] = []
    stack.reserveCapacity(PolicyLimits.deepestStack + 1)
    for number in code {
      let instruction = image.code[number]
      guard let form = InstructionSet.form(instruction.opcode) else {
        preconditionFailure("an instruction has a form")
      }
      func place() -> String { "\(owner()), instruction \(number)" }
      try checkWords(of: instruction, form, place)
      try ImageVerifier.require(stack.count >= form.pops.count, .stack, place(), "it pops an empty stack")
      for (due, found) in zip(form.pops, stack.suffix(form.pops.count)) {
        try ImageVerifier.require(
          due.takes(found), .unit, place(),
          "“\(form.mnemonic)” takes a \(due.rawValue), and a \(found.rawValue) is there")
      }
      stack.removeLast(form.pops.count)
      stack.append(pushed(by: instruction, form))
      try ImageVerifier.require(
        stack.count <= PolicyLimits.deepestStack, .stack, place(),
        "it nests deeper than \(PolicyLimits.deepestStack)")
    }
    try ImageVerifier.require(stack.count == 1, .stack, owner(), "it leaves \(stack.count) values")
    try ImageVerifier.require(
      InstructionForm.Value.truth.takes(stack[0]), .unit, owner(), "its condition is a number")
  }

  private func pushed(by instruction: Instruction, _ form: InstructionForm) -> InstructionForm.Value {
    if case .fact(let place) = instruction { facts[place] } else { form.pushes }
  }

  /// Fails unless each number of an instruction lies within what it is a number of.
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
        // Of constants, from the first word on.
        entries = image.constants.count - words.0 + 1
      }
      try ImageVerifier.require(
        (0..<max(entries, 0)).contains(word), .index, place(), "there is no \(part.operand.rawValue) \(word)")
      guard part.operand == .slot else { continue }
      try ImageVerifier.require(
        fits(instruction, image.slots[word].kind), .slot, place(), "slot \(word) is of another kind")
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
  /// Whether the value that was found may be used where this one is expected.
  fileprivate func takes(_ found: Self) -> Bool { self == .any || found == .any || self == found }
}
