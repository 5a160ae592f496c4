public import StintUnits

/// A policy file as it is written; every node knows its place.
public struct PolicyFile: Hashable, Sendable {
  /// Nil when the header is missing or broken.
  public var name: StringLiteral?
  public var version: NumberLiteral?
  public var items: [PolicyItem]
  /// In the order of the file.
  public var comments: [Comment]
}

/// Something that a policy declares.
public enum PolicyItem: Hashable, Sendable {
  case use(UseItem)
  case `let`(LetItem)
  case parameter(ParameterItem)
  case schedule(ScheduleItem)
  case `default`(DefaultItem)
  case rule(RuleItem)
  case zone(ZoneItem)
  case machine(MachineItem)
  case budget(BudgetItem)
  case require(RequireItem)
  case test(TestItem)

  public var span: SourceSpan {
    switch self {
    case .use(let item): item.span
    case .let(let item): item.span
    case .parameter(let item): item.span
    case .schedule(let item): item.span
    case .default(let item): item.span
    case .rule(let item): item.span
    case .zone(let item): item.span
    case .machine(let item): item.span
    case .budget(let item): item.span
    case .require(let item): item.span
    case .test(let item): item.span
    }
  }
}

/// A word with its place.
public struct Name: Hashable, Sendable {
  public var text: String
  public var span: SourceSpan
  /// Whether it stands in quotes, as the names of clients do in lists.
  public var isText = false
}

/// A text in quotes.
public struct StringLiteral: Hashable, Sendable {
  /// Without quotes, escapes resolved.
  public var text: String
  public var span: SourceSpan
}

/// A number without a unit.
public struct NumberLiteral: Hashable, Sendable {
  public var value: Double
  public var span: SourceSpan
}

/// A number with a unit, several of them, or a rate.
public struct QuantityLiteral: Hashable, Sendable {
  /// Nil when its unit does not exist; that has been reported.
  public var quantity: Quantity?
  public var span: SourceSpan
}

/// `use location.gnss where vendor == "sim" as gps required`.
public struct UseItem: Hashable, Sendable {
  public var path: Name
  public var condition: SyntaxExpression?
  public var alias: Name
  public var isRequired: Bool
  public var span: SourceSpan
}

/// `let moving = …`.
public struct LetItem: Hashable, Sendable {
  public var name: Name
  public var value: SyntaxExpression
  public var span: SourceSpan
}

/// `param hold = 500 m in 100 m .. 2 km`.
public struct ParameterItem: Hashable, Sendable {
  public var name: Name
  public var value: QuantityLiteral
  public var low: QuantityLiteral
  public var high: QuantityLiteral
  public var span: SourceSpan
}

/// `schedule work = weekdays 07:00..19:00, sat 08:00..12:00`.
public struct ScheduleItem: Hashable, Sendable {
  /// One window.
  public struct Window: Hashable, Sendable {
    public var days: [Name]
    public var from: ClockLiteral
    public var to: ClockLiteral
  }

  public var name: Name
  public var windows: [Window]
  public var span: SourceSpan
}

/// A time of day.
public struct ClockLiteral: Hashable, Sendable {
  /// Since midnight; nil when there is no such time, which has been reported.
  public var time: TimeSpan?
  public var span: SourceSpan
}

/// `default gps { accuracy 10 m }`.
public struct DefaultItem: Hashable, Sendable {
  public var target: Name
  public var settings: [SettingEntry]
  public var span: SourceSpan
}

/// A setting and its value.
public struct SettingEntry: Hashable, Sendable {
  public var name: Name
  public var value: SyntaxValue
}

/// A value that stands for itself.
public enum SyntaxValue: Hashable, Sendable {
  case quantity(QuantityLiteral)
  case name(Name)
  case string(StringLiteral)
  case number(NumberLiteral)

  public var span: SourceSpan {
    switch self {
    case .quantity(let literal): literal.span
    case .name(let name): name.span
    case .string(let literal): literal.span
    case .number(let literal): literal.span
    }
  }
}
