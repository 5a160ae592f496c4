import StintModel
import StintUnits

extension Image: ImageCodable {
  func write(to writer: inout ImageWriter) {
    writer.write(facts)
    writer.write(devices)
    writer.write(constants)
    writer.write(spans)
    writer.write(schedules)
    writer.write(slots)
    writer.index(rules.count)
    for rule in rules { write(rule, to: &writer) }
    writer.write(overrides)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init()
    facts = try reader.read()
    devices = try reader.read()
    constants = try reader.read()
    spans = try reader.read()
    schedules = try reader.read()
    slots = try reader.read()
    let count = try reader.count(minBytes: 27)
    rules.reserveCapacity(count)
    for _ in 0..<count { try readRule(from: &reader) }
    overrides = try reader.read()
  }

  /// Writes a rule with its code, directives and actions. Ranges into the tables are not written: the reader
  /// derives them from the order of the rules, so they cannot overlap.
  private func write(_ rule: ImageRule, to writer: inout ImageWriter) {
    writer.write(rule.id)
    writer.write(rule.trigger)
    writer.write(rule.structure)
    writer.write(rule.isInert)
    writer.write(rule.isPerDemand)
    writer.write(Array(code[rule.code]))
    writer.index(rule.directives.count)
    for directive in directives[rule.directives] {
      writer.write(directive.directive)
      writer.write(Array(code[directive.until]))
      writer.write(directive.structure)
      writer.write(directive.duration)
      writer.write(directive.doublingTo)
      writer.write(directive.atMost)
    }
    writer.write(Array(acts[rule.acts]))
  }

  private mutating func readRule(from reader: inout ImageReader) throws(Problem) {
    var rule = ImageRule(
      id: try reader.read(), trigger: try reader.read(), structure: try reader.read(), code: 0..<0,
      directives: 0..<0, acts: 0..<0, isInert: try reader.read())
    rule.isPerDemand = try reader.read()
    rule.code = try readCode(from: &reader)
    let first = directives.count
    for _ in 0..<(try reader.count(minBytes: 28)) {
      directives.append(
        ImageDirective(
          directive: try reader.read(), rule: rules.count, until: try readCode(from: &reader),
          structure: try reader.read(), duration: try reader.read(), doublingTo: try reader.read(),
          atMost: try reader.read()))
    }
    rule.directives = first..<directives.count
    let firstAct = acts.count
    acts += try reader.read([Act].self)
    rule.acts = firstAct..<acts.count
    rules.append(rule)
  }

  private mutating func readCode(from reader: inout ImageReader) throws(Problem) -> Range<Int> {
    let first = code.count
    code += try reader.read([Instruction].self)
    return first == code.count ? 0..<0 : first..<code.count
  }
}

extension Instruction: ImageCodable {
  func write(to writer: inout ImageWriter) {
    guard let form = InstructionSet.form(opcode) else { preconditionFailure("every opcode has a form") }
    writer.byte(opcode)
    for (place, part) in form.parts.enumerated() {
      let word = place == 0 ? words.0 : place == 1 ? words.1 : words.2
      if part.operand.size == 1 { writer.byte(UInt8(word)) } else { writer.index(word) }
    }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let opcode = try reader.byte()
    guard let form = InstructionSet.form(opcode) else {
      throw reader.trap(.encoding, at: place, "unknown opcode \(opcode)")
    }
    var words = (0, 0, 0)
    for (place, part) in form.parts.enumerated() {
      let word = part.operand.size == 1 ? Int(try reader.byte()) : try reader.index()
      if place == 0 { words.0 = word } else if place == 1 { words.1 = word } else { words.2 = word }
    }
    guard let instruction = Instruction(opcode: opcode, words) else {
      throw reader.trap(.encoding, at: place, "“\(form.mnemonic)” has an unknown operation")
    }
    self = instruction
  }
}
