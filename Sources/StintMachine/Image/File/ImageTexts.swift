import StintUnits

/// The stable part of an image file: the policies' texts and names. Every version of Stint reads it, so the
/// rest of the file can be compiled again when it is damaged or of another version.
public struct ImageTexts: Hashable, Sendable {
  /// A policy file.
  public struct Source: Hashable, Sendable {
    /// What the file was called.
    public var file: String
    public var text: String

    /// Makes a source.
    public init(file: String, text: String) {
      self.file = file
      self.text = text
    }
  }

  /// A policy of the file of the same place.
  public struct Policy: Hashable, Sendable {
    public var name: String
    public var version: Int

    /// Makes a policy's name.
    public init(name: String, version: Int) {
      self.name = name
      self.version = version
    }
  }

  /// The version of the policy language that this Stint knows; it only ever grows by addition.
  public static let newestLanguage = 1

  /// The version of the policy language in which the texts are written.
  public var language: Int
  public var sources: [Source]
  /// One for each source.
  public var policies: [Policy]

  /// Makes the stable part.
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
        "there are \(sources.count) texts, and \(policies.count) policies of them")
    }
  }
}

extension ImageTexts.Source: ImageCodable {
  static var leastBytes: Int { 8 }

  func write(to writer: inout ImageWriter) {
    writer.write(file)
    writer.write(text)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(file: try reader.read(), text: try reader.read())
  }
}

extension ImageTexts.Policy: ImageCodable {
  static var leastBytes: Int { 12 }

  func write(to writer: inout ImageWriter) {
    writer.write(name)
    writer.write(version)
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self.init(name: try reader.read(), version: try reader.read())
  }
}
