import StintCompiler
import StintFormats
import StintJournal
public import StintLanguage
public import StintMachine
public import StintModel
import StintRuntime
public import StintUnits

/// Policies that were compiled into an image file.
public struct PolicyCompiling: Hashable, Sendable {
  public let file: ImageFile
  /// The same for the same texts and manifests, wherever they are compiled.
  public let bytes: [UInt8]

  /// Checks and compiles policies together; refuses those that have errors.
  public init(_ sources: [SourceText], vocabulary: Vocabulary) throws {
    let check = try PolicyCheck(sources, vocabulary: vocabulary).accepted()
    file = Compiler.file(check.policies, sources: sources, vocabulary: vocabulary)
    bytes = file.bytes
    do { _ = try ImageVerifier.verify(try ImageFile(bytes), vocabulary: vocabulary) } catch let trap {
      // What the checker lets through, the compiler can write; what is larger than any image it cannot.
      throw trap.at(sources.map(\.file).joined(separator: ", "))
    }
  }

  /// Writes the image whole, or not at all.
  public func write(to path: String) throws(Problem) {
    try FileText.write(bytes, to: path)
  }

  public var digest: String { SHA256.hexadecimal(of: bytes) }

  /// `hiking.image: 1 policy, 5120 bytes, SHA-256 …`.
  public func text(path: String) -> String {
    let count = file.texts.policies.count
    return "\(path): \(count) \(count == 1 ? "policy" : "policies"), \(bytes.count) bytes, SHA-256 \(digest)"
  }

  /// One object: where the image is, how large, its fingerprint, and what it was made of.
  public func jsonText(path: String) -> String {
    let policies = zip(file.texts.policies, file.texts.sources).map { policy, source -> JSONValue in
      [
        "name": JSONValue(policy.name), "version": JSONValue(policy.version), "file": JSONValue(source.file),
      ]
    }
    return ReportKind.compile.text(of: [
      "image": JSONValue(path), "bytes": JSONValue(bytes.count), "sha256": JSONValue(digest),
      "policies": JSONValue(policies),
    ])
  }
}
