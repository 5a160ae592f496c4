import StintLanguage
import StintModel
import StintUnits

// Helpers that make checked expressions. All expressions have the empty source range `nowhere`.

let nowhere = SourceSpan(start: 0, end: 0)

func truth(_ kind: CheckedExpression.Kind) -> CheckedExpression {
  CheckedExpression(kind: kind, type: .boolean, span: nowhere)
}

func number(_ kind: CheckedExpression.Kind) -> CheckedExpression {
  CheckedExpression(kind: kind, type: .quantity(.length), span: nowhere)
}

func number(_ value: Double) -> CheckedExpression { number(.constant(.number(value))) }

/// Returns a Boolean fact.
func flag(_ path: String) -> CheckedExpression { truth(.fact(path)) }

/// Returns a numeric fact.
func level(_ path: String) -> CheckedExpression { number(.fact(path)) }

func compare(_ left: CheckedExpression, _ comparison: Comparison, _ right: CheckedExpression)
  -> CheckedExpression
{
  truth(.compare(comparison, left, right))
}

func not(_ operand: CheckedExpression) -> CheckedExpression { truth(.not(operand)) }

func all(_ operands: CheckedExpression...) -> CheckedExpression { truth(.and(operands)) }

func any(_ operands: CheckedExpression...) -> CheckedExpression { truth(.or(operands)) }

extension CheckedExpression {
  func held(_ span: TimeSpan, tolerate: TimeSpan? = nil) -> CheckedExpression {
    truth(.heldFor(self, span, tolerate: tolerate))
  }

  func inLast(_ span: TimeSpan) -> CheckedExpression { truth(.inLast(self, span)) }
}

func ruleID(_ name: String) -> RuleID { RuleID(policy: "p", rule: name) }

/// Returns a directive that stops a device.
func stop(
  _ device: DeviceID = "gps", until: CheckedExpression? = nil, ending: CheckedEnding? = nil,
  rule: String = "r"
) -> CheckedDirective {
  CheckedDirective(
    directive: Directive(rule: ruleID(rule), action: .stop, targets: [device]), until: until, ending: ending,
    span: nowhere)
}

func rule(
  _ name: String, _ trigger: CheckedTrigger, _ directives: [CheckedDirective] = [], acts: [Act] = [],
  over: [String] = []
) -> CheckedRule {
  CheckedRule(
    id: ruleID(name), span: nowhere, trigger: trigger, overrides: over.map { ruleID($0) },
    directives: directives, acts: acts)
}

/// Returns the only rule of a policy.
func rule(_ trigger: CheckedTrigger, _ directives: [CheckedDirective] = [], acts: [Act] = []) -> CheckedRule {
  rule("r", trigger, directives, acts: acts)
}
