/// A problem in a policy: its code, position and message, with an optional hint and fix.
public struct Diagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable {
    /// The policy cannot be loaded.
    case error
    /// The policy can be loaded, but is probably wrong.
    case warning
    /// The policy can be loaded; the diagnostic is information.
    case note
  }

  /// A range of the source with an explanation.
  public struct Label: Hashable, Sendable {
    /// The range of the source, in bytes.
    public var span: SourceSpan
    /// The explanation beside the range; may be empty.
    public var text: String

    /// Creates a label. The text may be empty.
    public init(span: SourceSpan, text: String) {
      self.span = span
      self.text = text
    }
  }

  /// A replacement that corrects the source.
  public struct Fix: Hashable, Sendable {
    /// The replaced range, in bytes; empty for an insertion.
    public var span: SourceSpan
    /// The new source in the range; empty for a removal.
    public var replacement: String

    /// Creates a fix that replaces a range of the source.
    public init(span: SourceSpan, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  /// The kind of problem.
  public var code: DiagnosticCode
  /// The severity of the problem.
  public var severity: Severity
  /// The message, one sentence without a full stop; at most 1000 characters and “…”.
  public var title: String
  /// The path of the policy file, as passed to the parser.
  public var file: String
  /// The marked ranges. The first label is the position of the problem; the other labels are related
  /// positions.
  public var labels: [Label]
  /// Advice for the author; nil when there is no advice.
  public var hint: String?
  /// A correction of the source; nil when no correction is certain.
  public var fix: Fix?

  /// Creates a diagnostic. A title or hint of more than 1000 bytes is cut after 1000 characters, and “…” is
  /// added.
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

  /// Limits the length of messages, because names in a policy may be megabytes long.
  private static func shortened(_ text: String) -> String {
    guard text.utf8.count > 1000 else { return text }
    return text.prefix(1000) + "…"
  }
}
