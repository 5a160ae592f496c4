/// Terminal colours for reports, or no colours.
public struct Paint: Hashable, Sendable {
  /// True when colours are used.
  public var isOn: Bool

  /// No colours.
  public static let plain = Paint(isOn: false)
  /// ANSI colours.
  public static let colours = Paint(isOn: true)

  /// Returns the text in bold.
  public func strong(_ text: String) -> String { wrap(text, "1") }
  /// Returns the text dimmed.
  public func quiet(_ text: String) -> String { wrap(text, "2") }
  /// Returns the text in green, for success.
  public func good(_ text: String) -> String { wrap(text, "32") }
  /// Returns the text in yellow, for a note.
  public func notable(_ text: String) -> String { wrap(text, "33") }
  /// Returns the text in red, for a failure.
  public func bad(_ text: String) -> String { wrap(text, "31") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
