import StintModel
import StintUnits

/// Prints an image as text, for people and for tests. The image need not be verified.
public struct Disassembler {
  private let image: Image
  private let factName: (Int) -> String

  /// Creates a disassembler for an image. `factName` returns the name of a fact for its index in the
  /// vocabulary.
  public init(_ image: Image, factName: @escaping (Int) -> String = { "fact \($0)" }) {
    self.image = image
    self.factName = factName
  }

  /// The slots, rules and overrides of the image as text. Equal images give equal text.
  public var text: String {
    var lines: [String] = []
    for place in image.slots.indices {
      lines.append("slot \(place): \(describe(image.slots[place].kind)), \(image.slots[place].key)")
    }
    for place in image.rules.indices { lines += self.lines(ofRule: place) }
    for pair in image.overrides { lines.append("rule \(pair.winner) over rule \(pair.loser)") }
    return lines.map { $0 + "\n" }.joined()
  }

  private func lines(ofRule place: Int) -> [String] {
    let rule = image.rules[place]
    var lines = ["rule \(place): \(rule.id), \(describe(rule.trigger))\(rule.isInert ? ", inert" : "")"]
    lines += code(rule.code, indent: "  ")
    for number in rule.directives.clamped(to: image.directives.indices) {
      let directive = image.directives[number]
      lines.append("  directive \(number): \(describe(directive))")
      if !directive.until.isEmpty { lines += ["    until"] + code(directive.until, indent: "      ") }
    }
    for number in rule.acts.clamped(to: image.acts.indices) {
      lines.append("  act \(number): \(image.acts[number])")
    }
    return lines
  }

  private func code(_ range: Range<Int>, indent: String) -> [String] {
    range.clamped(to: image.code.indices).map { "\(indent)\($0): \(describe(image.code[$0]))" }
  }

  // MARK: Single entries

  /// Returns an instruction as text: its mnemonic from `InstructionSet`, and then its operands.
  public func describe(_ instruction: Instruction) -> String {
    guard let form = InstructionSet.form(instruction.opcode) else { return "missing" }
    let words = [instruction.words.0, instruction.words.1, instruction.words.2]
    var text = form.mnemonic
    for (number, part) in form.parts.enumerated() {
      switch part.operand {
      case .constant where form.parts.last?.operand == .count: text += " " + constants(words[0], words[1])
      case .constant: text += " " + constant(words[number])
      case .fact: text += " " + name(words[number])
      case .device: text += " " + device(words[number])
      case .span: text += " " + span(words[number])
      case .schedule: text += " \(words[number])"
      case .slot: text += ", slot \(words[number])"
      case .comparison: text += " " + (Comparison(number: words[number])?.rawValue ?? missing(words[number]))
      case .arithmetic: text += " " + (Arithmetic(number: words[number])?.rawValue ?? missing(words[number]))
      case .count: continue
      }
    }
    return text
  }

  /// Returns the kind of a slot as text: `for 5 min`, `latch below`.
  public func describe(_ kind: ImageSlot.Kind) -> String {
    switch kind {
    case .latch(let side): "latch \(side.rawValue)"
    case .heldFor(let span, let tolerate): "for \(span)" + (tolerate.map { " tolerate \($0)" } ?? "")
    case .inLast(let span): "in last \(span)"
    case .window(let function, let fact, let span, let capacity):
      "\(function.rawValue) of \(name(fact)) over \(span), room for \(capacity)"
    }
  }

  /// Returns the trigger of a rule as text: `while`, `every 1 h`.
  public func describe(_ trigger: ImageRule.Trigger) -> String {
    switch trigger {
    case .level: "while"
    case .rise(let atMost): "when" + (atMost.map { ", at most once in \($0)" } ?? "")
    case .period(let period, let flex): "every \(period)" + (flex.map { " flex \($0)" } ?? "")
    }
  }

  /// Returns a directive as text: its action, target devices, exceptions and limits.
  public func describe(_ entry: ImageDirective) -> String {
    var text = "\(entry.directive.action) \(entry.directive.targets.map(\.path).joined(separator: ", "))"
    if !entry.directive.exceptions.isEmpty {
      text += " except \(entry.directive.exceptions.map(\.name).joined(separator: ", "))"
    }
    if let duration = entry.duration { text += " for \(duration)" }
    if let ceiling = entry.doublingTo { text += " doubling to \(ceiling)" }
    if let most = entry.atMost { text += " at most \(most) times" }
    return text
  }

  // MARK: Operands by index

  private func missing(_ place: Int) -> String { "missing (\(place))" }

  private func device(_ place: Int) -> String {
    image.devices.indices.contains(place) ? image.devices[place].path : missing(place)
  }

  private func name(_ place: Int) -> String {
    image.facts.indices.contains(place) ? factName(image.facts[place].number) : missing(place)
  }

  private func span(_ place: Int) -> String {
    image.spans.indices.contains(place) ? "\(image.spans[place])" : missing(place)
  }

  private func constant(_ place: Int) -> String {
    image.constants.indices.contains(place) ? "\(image.constants[place])" : missing(place)
  }

  private func constants(_ first: Int, _ count: Int) -> String {
    // An image that is not verified may claim any count.
    guard first >= 0, count >= 0, first <= image.constants.count, count <= image.constants.count - first
    else { return missing(first) }
    return (first..<first + count).map(constant).joined(separator: ", ")
  }
}
