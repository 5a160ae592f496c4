/// A problem with a policy: what, where, why, and what to do about it.
public struct Diagnostic: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable {
    /// The policy cannot be loaded.
    case error
    /// It can, but probably should not.
    case warning
    /// Good to know.
    case note
  }

  /// A place and what to say about it.
  public struct Label: Hashable, Sendable {
    public var span: SourceSpan
    public var text: String

    /// Makes a label; the text may be empty.
    public init(span: SourceSpan, text: String) {
      self.span = span
      self.text = text
    }
  }

  /// A change of the text that would mend it.
  public struct Fix: Hashable, Sendable {
    public var span: SourceSpan
    public var replacement: String

    /// Makes a fix.
    public init(span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  public var code: DiagnosticCode
  public var severity: Severity
  /// One sentence without a full stop.
  public var title: String
  public var file: String
  /// The first is where the problem is; the others are what it has to do with.
  public var labels: [Label]
  public var hint: String?
  public var fix: Fix?

  /// Makes a diagnostic.
  public init(
    _ code: DiagnosticCode, _ title: String, severity: Severity = .error, file: String, labels: [Label],
    hint: String? = nil, fix: Fix? = nil
  ) {
    self.code = code
    self.severity = severity
    self.title = Self.shortened(title)
    self.file = file
    self.labels = labels
    self.hint = hint.map(Self.shortened)
    self.fix = fix
  }

  /// A name of megabytes must not become a message of megabytes.
  private static func shortened(_ text: String) -> String {
    guard text.utf8.count > 1000 else { return text }
    return text.prefix(1000) + "…"
  }
}
