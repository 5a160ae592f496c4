/// Colours for people, or none.
public struct Paint: Hashable, Sendable {
  /// Whether anything is coloured at all.
  public var isOn: Bool

  public static let plain = Paint(isOn: false)
  public static let colours = Paint(isOn: true)

  public func strong(_ text: String) -> String { wrap(text, "1") }
  public func quiet(_ text: String) -> String { wrap(text, "2") }
  public func good(_ text: String) -> String { wrap(text, "32") }
  public func notable(_ text: String) -> String { wrap(text, "33") }
  public func bad(_ text: String) -> String { wrap(text, "31") }

  private func wrap(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
