/// What a service remembers over a restart, in a form that any writer of files can keep.
public indirect enum MemoryValue: Hashable, Sendable {
  case truth(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([MemoryValue])
  /// By name.
  case record([String: MemoryValue])

  /// A part of a record; nil when there is none, or this is no record.
  public subscript(_ name: String) -> MemoryValue? {
    guard case .record(let parts) = self else { return nil }
    return parts[name]
  }

  public var truth: Bool? {
    if case .truth(let value) = self { value } else { nil }
  }

  public var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// Whole numbers count too.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  public var text: String? {
    if case .text(let value) = self { value } else { nil }
  }

  public var list: [MemoryValue]? {
    if case .list(let value) = self { value } else { nil }
  }
}
