import StintLanguage
import StintModel
import StintUnits

/// A position in a condition, with a mutation that applies there.
struct MutationSite: Hashable {
  enum Kind: Hashable {
    /// Multiplies the constant of a comparison by `factor`.
    case limit(Double, Dimension, factor: Double)
    /// Multiplies the span of a `for` or an `in last` by `factor`.
    case span(TimeSpan, factor: Double)
    /// Replaces `or` by `and`.
    case andForOr
    /// Replaces `and` by `or`.
    case orForAnd
    /// Removes `release`, so that the condition ends at its threshold.
    case noRelease
    /// Removes `for`, so that the operand alone decides.
    case noFor
    /// Removes `in last`, so that the operand alone decides.
    case noInLast

    var text: String {
      switch self {
      case .limit(let value, let dimension, let factor):
        "\(Quantity(value, dimension)) becomes \(Quantity(value * factor, dimension))"
      case .span(let span, let factor): "\(span) becomes \(span.scaled(by: factor))"
      case .andForOr: "“or” becomes “and”"
      case .orForAnd: "“and” becomes “or”"
      case .noRelease: "“release” is removed"
      case .noFor: "“for” is removed"
      case .noInLast: "“in last” is removed"
      }
    }
  }

  var span: SourceSpan
  var kind: Kind
}

extension TimeSpan {
  fileprivate func scaled(by factor: Double) -> TimeSpan {
    TimeSpan(nanoseconds: Int64((Double(nanoseconds) * factor).rounded()))
  }
}

extension CheckedExpression {
  private static let factors = [0.9, 1.1]

  /// Collects all sites, each with its position in the order of discovery.
  func collectSites(into sites: inout [MutationSite: Int]) {
    func add(_ kind: MutationSite.Kind, _ span: SourceSpan) {
      let site = MutationSite(span: span, kind: kind)
      if sites[site] == nil { sites[site] = sites.count }
    }
    func add(limit: CheckedExpression) {
      guard case .constant(.number(let value)) = limit.kind, value != 0,
        case .quantity(let dimension) = limit.type
      else { return }
      for factor in Self.factors { add(.limit(value, dimension, factor: factor), limit.span) }
    }
    switch kind {
    case .and where !isOneName: add(.orForAnd, span)
    case .or where !isOneName: add(.andForOr, span)
    case .compare(_, let left, let right):
      add(limit: left)
      add(limit: right)
    case .latch(_, _, let threshold, let release):
      add(limit: threshold)
      add(limit: release)
      add(.noRelease, span)
    case .heldFor(_, let length, _):
      for factor in Self.factors { add(.span(length, factor: factor), span) }
      add(.noFor, span)
    case .inLast(_, let length):
      for factor in Self.factors { add(.span(length, factor: factor), span) }
      add(.noInLast, span)
    default: break
    }
    for child in children { child.collectSites(into: &sites) }
  }

  /// Returns the expression with the mutation applied at each occurrence of the site's source text.
  func mutated(at site: MutationSite) -> CheckedExpression {
    // In a state machine, the checker replaces the operand of a `for` by an `and` of two operands: the
    // present state and the original operand. This `and` is not in the policy's text. So the mutation changes
    // only its operands.
    guard span == site.span, countedInState == nil else { return map { $0.mutated(at: site) } }
    var copy = self
    switch (kind, site.kind) {
    case (.and(let operands), .orForAnd): copy.kind = .or(operands)
    case (.or(let operands), .andForOr): copy.kind = .and(operands)
    case (.constant(.number(let value)), .limit(let limit, _, let factor)) where value == limit:
      copy.kind = .constant(.number(value * factor))
    case (.heldFor(let operand, let length, let tolerate), .span(_, let factor)):
      copy.kind = .heldFor(operand, length.scaled(by: factor), tolerate: tolerate)
    case (.inLast(let operand, let length), .span(_, let factor)):
      copy.kind = .inLast(operand, length.scaled(by: factor))
    case (.heldFor(let operand, _, _), .noFor): return operand
    case (.inLast(let operand, _), .noInLast): return operand
    case (.latch(let side, let value, let threshold, _), .noRelease):
      copy.kind = .compare(side == .below ? .less : .greater, value, threshold)
    default: return map { $0.mutated(at: site) }
    }
    return copy
  }

  /// The Boolean parts that are not formed by `and`, `or`, `not`, `implies`, `for` or `in last`. An
  /// expression that comes from one name counts as one part.
  var leaves: [CheckedExpression] {
    switch kind {
    case .and where isOneName, .or where isOneName: countedInState?.leaves ?? [self]
    case .not, .and, .or, .implies, .heldFor, .inLast: children.flatMap(\.leaves)
    case .constant: []
    default: type == .boolean ? [self] : []
    }
  }

  /// True when the parts of an `and` or `or` come from one name, such as `client.background`. All parts then
  /// have the span of that name.
  private var isOneName: Bool { children.allSatisfy { $0.span == span } }
}
