import StintModel
import StintUnits

/// Finds rules that another makes needless: it holds whenever they do, and saves at least as much on all their devices.
struct Shadowed {
  let book: RuleBook

  func findings() -> [Finding] {
    book.rules.indices.compactMap { finding($0) }
  }

  private func finding(_ number: Int) -> Finding? {
    let rule = book.rules[number]
    guard isPlain(rule), let target = rule.targets.first else { return nil }
    let claims = [Claim.inForce(rule)]
    for candidate in book.reaching(target) where candidate != number {
      let other = book.rules[candidate]
      guard other.trigger.isLevel, covers(other, rule), isWhenever(other, claims, rule) else { continue }
      // Of two that are alike, the first stays.
      if candidate > number, isPlain(other), covers(rule, other), isWhenever(rule, [.inForce(other)], other) {
        continue
      }
      guard case .possible(let witness) = book.solver.solve(claims) else { continue }
      return message(rule, other, witness)
    }
    return nil
  }

  /// Whether it does nothing but limit while it holds.
  private func isPlain(_ rule: CheckedRule) -> Bool {
    rule.trigger.isLevel && rule.overrides.isEmpty && !rule.directives.isEmpty
      && rule.directives.allSatisfy(\.directive.limits)
  }

  /// Whether the other limits all the devices of the rule whenever the claims are the case.
  private func isWhenever(_ other: CheckedRule, _ claims: [Claim], _ rule: CheckedRule) -> Bool {
    rule.targets.allSatisfy { book.limits(other, on: $0, whenever: claims) }
  }

  private func covers(_ other: CheckedRule, _ rule: CheckedRule) -> Bool {
    rule.directives.allSatisfy { directive in
      directive.directive.targets.allSatisfy { target in
        other.directives.contains {
          $0.until == nil && $0.directive.targets.contains(target)
            && $0.directive.saves(asMuchAs: directive.directive)
        }
      }
    }
  }

  private func message(_ rule: CheckedRule, _ other: CheckedRule, _ witness: Witness) -> Finding {
    let isHere = book.file(of: other) == book.file(of: rule)
    let name = isHere ? other.id.rule : other.id.description
    var labels = [Diagnostic.Label(span: rule.span, text: "needless")]
    if isHere { labels.append(Diagnostic.Label(span: other.span, text: "saves at least as much")) }
    let facts = witness.text(book.vocabulary)
    return Finding(
      Diagnostic(
        .shadowed, "“\(rule.id.rule)” changes nothing: whenever it holds, “\(name)” saves at least as much",
        severity: .warning, file: book.file(of: rule), labels: labels,
        hint: (facts.isEmpty ? "both always hold" : "with \(facts) both hold")
          + "; take “\(rule.id.rule)” away, or narrow “\(name)”"),
      witness: witness)
  }
}

extension Directive {
  /// Whether nothing is left for the other to save where this is in force on the same device.
  func saves(asMuchAs other: Directive) -> Bool {
    guard Set(exceptions).isSubset(of: other.exceptions) else { return false }
    switch (action, other.action) {
    case (.start, _), (_, .start): return false
    case (.stop, _): return true
    case (.pause, .pause): return true
    case (.coarsen(let accuracy), .coarsen(let finer)): return accuracy >= finer
    case (.slow(let period), .slow(let faster)): return period >= faster
    case (.batch(let bounds), .batch(let others)):
      return bounds.allSatisfy { bound in others.contains { $0.isReached(before: bound) } }
    case (.postpone(let deadline), .postpone(let earlier)):
      return (deadline ?? .unlimited) >= (earlier ?? .unlimited)
    default: return false
    }
  }
}

extension HoldBound {
  /// Whether it ends a hold no later than the other.
  fileprivate func isReached(before other: HoldBound) -> Bool {
    switch (self, other) {
    case (.time(let left), .time(let right)): left <= right
    case (.distance(let left), .distance(let right)): left <= right
    case (.items(let left), .items(let right)): left <= right
    case (.data(let left), .data(let right)): left <= right
    default: false
    }
  }
}
