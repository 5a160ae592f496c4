import StintAuthoring
import StintLanguage

/// The context of the cursor: the open blocks, and the unfinished part of the innermost block.
struct CompletionContext {
  /// The kind of a block.
  enum Block: Hashable {
    /// Outside of all blocks: the part of an item before its first block.
    case item
    /// Settings of a device; nil when the device is unknown.
    case settings(of: String?, isDefault: Bool)
    /// Values of attributes in `downgrade DEVICE to { … }`.
    case ceilings(of: String?)
    case statements
    case states
    case state
    case steps
    case test
  }

  /// The word that begins the item; empty at the beginning of a file.
  private(set) var item = ""
  private(set) var block = Block.item
  /// The pieces of the block after its last complete part.
  private(set) var clause: [Piece] = []
  /// The name of the item.
  private(set) var name = ""
  private var outer: [(Block, [Piece])] = []

  /// True when a condition at the cursor may read facts of the client. Tests, requirements and gotos apply to
  /// the whole host, so their conditions cannot read such facts.
  var asksClient: Bool { !["test", "require"].contains(item) && clause.first?.isWord("goto") != true }

  init(_ pieces: [Piece], in source: SourceText) {
    for piece in pieces {
      let isOutermost = source.position(of: piece.span.start).column == 1
      if piece.isOne(of: Keywords.items), isOutermost || (outer.isEmpty && piece.isFirstOnLine) {
        item = piece.text
        name = ""
        outer = []
        block = .item
        clause = [piece]
      } else {
        take(piece)
      }
    }
  }

  private mutating func take(_ piece: Piece) {
    if name.isEmpty, block == .item, clause.count == 1, piece.kind == .word { name = piece.text }
    if piece.kind == .symbol, piece.text == "{" { return open(piece) }
    if piece.kind == .symbol, piece.text == "}" { return close(piece) }
    if begins(piece) { clause = [] }
    clause.append(piece)
  }

  private mutating func open(_ piece: Piece) {
    let inner: Block
    if clause.last?.isWord("with") == true {
      inner = .settings(of: CompletionContext.target(of: clause), isDefault: false)
    } else if clause.last?.isWord("to") == true {
      inner = .ceilings(of: CompletionContext.target(of: Array(clause.drop { !$0.isWord("downgrade") })))
    } else if clause.first?.isWord("rule") == true {
      inner = .statements
    } else {
      switch block {
      case .item:
        switch item {
        case "default": inner = .settings(of: name, isDefault: true)
        case "machine": inner = .states
        case "budget": inner = .steps
        case "test": inner = .test
        default: inner = .statements
        }
      case .states: inner = .state
      default: inner = .statements
      }
    }
    outer.append((block, clause + [piece]))
    block = inner
    clause = []
  }

  private mutating func close(_ piece: Piece) {
    guard let (block, clause) = outer.popLast() else { return }
    // A directive may continue after its settings. Every other closing brace ends a part of the block.
    let continues = clause.dropLast().last?.isOne(of: ["with", "to"]) == true
    self.block = block
    self.clause = continues ? clause + [piece] : []
  }

  /// Returns true when a piece begins another part of the block.
  private func begins(_ piece: Piece) -> Bool {
    guard piece.kind == .word else { return false }
    switch block {
    case .item, .settings, .ceilings: return false
    case .statements: return Keywords.verbs.contains(piece.text)
    case .state: return Keywords.verbs.contains(piece.text) || piece.text == "rule" || piece.text == "goto"
    case .states: return piece.text == "state"
    case .steps: return piece.text == "at"
    case .test:
      if piece.text == "at" { return piece.isFirstOnLine || clause.first?.isWord("expect") != true }
      return piece.text == "given" || piece.text == "expect"
    }
  }

  /// Returns the first device of a directive; nil when the directive has no device yet.
  static func target(of clause: [Piece]) -> String? {
    if let on = clause.lastIndex(where: { $0.isWord("on") }), clause.indices.contains(on + 1) {
      return clause[on + 1].text
    }
    return clause.dropFirst().first { $0.kind == .word }?.text
  }
}
