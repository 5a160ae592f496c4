public import StintUnits

/// The syntax tree of a policy file. Every node has its range in the source.
public struct PolicyFile: Hashable, Sendable {
  /// The name of the policy; nil when the header is missing or invalid.
  public var name: StringLiteral?
  /// The version of the policy; nil when the header contains no version.
  public var version: NumberLiteral?
  /// The items in the order of the file.
  public var items: [PolicyItem]
  /// The comments in the order of the file.
  public var comments: [Comment]
}

/// A declaration in a policy.
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

  /// The range in the source.
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

/// A word with its range in the source.
public struct Name: Hashable, Sendable {
  /// The word, with dots and slashes for a path.
  public var text: String
  /// The range in the source.
  public var span: SourceSpan
  /// True for a string in quotes, such as the name of a client in a list.
  public var isText = false
}

/// A string in quotes.
public struct StringLiteral: Hashable, Sendable {
  /// The string without quotes, with escapes resolved.
  public var text: String
  /// The range in the source.
  public var span: SourceSpan
}

/// A number without a unit.
public struct NumberLiteral: Hashable, Sendable {
  /// The value of the number; 0 for a name.
  public var value: Double
  /// The range in the source.
  public var span: SourceSpan
  /// The name of a `let` in place of the number; nil for a number. Only the N of `at most N times` may be a
  /// name.
  public var name: Name?
}

/// A quantity in the source: numbers with units, a rate, or the name of a parameter or a `let`.
public struct QuantityLiteral: Hashable, Sendable {
  /// A rate with a name in place of its time: `1 per pause`.
  public struct NamedRate: Hashable, Sendable {
    /// The number before `per`.
    public var count: Double
    /// The name of a parameter or a `let`.
    public var time: Name
  }

  /// The quantity. Nil for a name or a named rate, and for an invalid quantity, which has been reported.
  public var quantity: Quantity?
  /// The range in the source.
  public var span: SourceSpan
  /// The name in place of a number; nil for a number.
  public var name: Name?
  /// The rate when its time is a name; nil for any other quantity.
  public var namedRate: NamedRate?
  /// The names in the quantity.
  public var names: [Name] { [name, namedRate?.time].compactMap(\.self) }

  init(quantity: Quantity?, span: SourceSpan, name: Name? = nil, namedRate: NamedRate? = nil) {
    self.quantity = quantity
    self.span = span
    self.name = name
    self.namedRate = namedRate
  }

  /// Creates a use of a parameter or a `let`.
  init(_ name: Name) { self.init(quantity: nil, span: name.span, name: name) }
}

/// A short name for a device: `use location.gnss where vendor == "sim" as gps required`.
public struct UseItem: Hashable, Sendable {
  /// The full name of the device, or a pattern such as `location.*`.
  public var path: Name
  /// The condition on the manifest of the device; nil without `where`.
  public var condition: SyntaxExpression?
  /// The short name.
  public var alias: Name
  /// True when the policy must not be loaded without the device.
  public var isRequired: Bool
  /// The range in the source.
  public var span: SourceSpan
}

/// A named expression: `let moving = …`.
public struct LetItem: Hashable, Sendable {
  /// The declared name.
  public var name: Name
  /// The expression that replaces the name.
  public var value: SyntaxExpression
  /// The range in the source.
  public var span: SourceSpan
}

/// An adjustable quantity: `param hold = 500 m in 100 m .. 2 km`.
public struct ParameterItem: Hashable, Sendable {
  /// The declared name.
  public var name: Name
  /// The initial value.
  public var value: QuantityLiteral
  /// The lowest value to which the parameter may be set.
  public var low: QuantityLiteral
  /// The highest value to which the parameter may be set.
  public var high: QuantityLiteral
  /// The range in the source.
  public var span: SourceSpan
}

/// Named windows of local time: `schedule work = weekdays 07:00..19:00, sat 08:00..12:00`.
public struct ScheduleItem: Hashable, Sendable {
  /// One window of a schedule.
  public struct Window: Hashable, Sendable {
    /// The days on which the window begins; empty for every day.
    public var days: [Name]
    /// The time of day at which the window begins.
    public var from: ClockLiteral
    /// The time of day at which the window ends.
    public var to: ClockLiteral
  }

  /// The declared name.
  public var name: Name
  /// The windows in the order of the file.
  public var windows: [Window]
  /// The range in the source.
  public var span: SourceSpan
}

/// A time of day.
public struct ClockLiteral: Hashable, Sendable {
  /// The time since midnight; nil when the time of day is invalid, which has been reported.
  public var time: TimeSpan?
  /// The range in the source.
  public var span: SourceSpan
}

/// Default settings of a device or service: `default gps { accuracy 10 m }`.
public struct DefaultItem: Hashable, Sendable {
  /// The device or service.
  public var target: Name
  /// The settings in the order of the file.
  public var settings: [SettingEntry]
  /// The range in the source.
  public var span: SourceSpan
}

/// A setting with its value.
public struct SettingEntry: Hashable, Sendable {
  /// The name of the setting.
  public var name: Name
  /// The value of the setting.
  public var value: SyntaxValue
}

/// A literal value or a name.
public enum SyntaxValue: Hashable, Sendable {
  case quantity(QuantityLiteral)
  case name(Name)
  case string(StringLiteral)
  case number(NumberLiteral)

  /// The range in the source.
  public var span: SourceSpan {
    switch self {
    case .quantity(let literal): literal.span
    case .name(let name): name.span
    case .string(let literal): literal.span
    case .number(let literal): literal.span
    }
  }
}
