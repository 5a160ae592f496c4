import StintUnits

/// The stable part of an image file: the texts and names of the policies. The form of this part is stable, so
/// other versions of Stint can read it. When the other part of the file is damaged or has an unsupported
/// version, Stint can compile the texts again.
public struct ImageTexts: Hashable, Sendable {
  /// A policy file.
  public struct Source: Hashable, Sendable {
    /// The name of the file.
    public var file: String
    /// The whole text of the file.
    public var text: String

    /// Creates the entry of a policy file.
    public init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  /// The name and version of the policy in the source file with the same index.
  public struct Policy: Hashable, Sendable {
    /// The name of the policy.
    public var name: String
    /// The version of the policy.
    public var version: Int

    /// Creates a name and version.
    public init(name: String, version: Int) {
      self.name = name
      self.version = version
    }
  }

  /// The newest version of the policy language that this release supports. Each version includes all earlier
  /// versions.
  public static let newestLanguage = 1

  /// The version of the policy language in which the texts are written.
  public var language: Int
  /// The policy files, in the order of compilation.
  public var sources: [Source]
  /// The policies, one for each entry of `sources`.
  public var policies: [Policy]

  /// Creates the stable part.
  public init(language: Int, sources: [Source], policies: [Policy]) {
    self.language = language
    self.sources = sources
    self.policies = policies
  }
}

extension ImageTexts: ImageCodable {
  func write(to writer: inout ImageWriter) {
    writer.index(language)
    writer.write(sources)
    writer.write(policies)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(language: try reader.index(), sources: try reader.read(), policies: try reader.read())
    guard sources.count == policies.count else {
      throw reader.trap(
        .contradiction, at: reader.position,
        "there are \(sources.count) texts but \(policies.count) policies")
    }
  }
}

extension ImageTexts.Source: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) { writer.write(file, text) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(file: try reader.read(), text: try reader.read())
  }
}

extension ImageTexts.Policy: ImageCodable {
  static var minBytes: Int { 12 }

  func write(to writer: inout ImageWriter) { writer.write(name, version) }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(name: try reader.read(), version: try reader.read())
  }
}
