import StintCompiler
import StintDaemon
import StintFormats
import StintJournal
public import StintLanguage
public import StintMachine
public import StintModel
import StintRuntime
public import StintUnits

/// Policies compiled into an image file.
public struct PolicyCompiling: Hashable, Sendable {
  /// The image file with its parts as values.
  public let file: ImageFile
  /// The bytes of the image. They depend only on the vocabulary, and on the names and texts of the policy
  /// files.
  public let bytes: [UInt8]

  /// Checks and compiles policies together.
  ///
  /// - Throws: `PolicyRefusal` when a policy has errors; `Problem` when the image is larger than the limit.
  public init(_ sources: [SourceText], vocabulary: Vocabulary) throws {
    let check = try PolicyCheck(sources, vocabulary: vocabulary).accepted()
    file = Compiler.file(check.policies, sources: sources, vocabulary: vocabulary)
    bytes = file.bytes
    do { _ = try ImageVerifier.verify(try ImageFile(bytes), vocabulary: vocabulary) } catch let trap {
      // The compiler accepts every policy that the checker accepts; only an image above the size limit fails
      // here.
      throw trap.at(sources.map(\.file).joined(separator: ", "))
    }
  }

  /// Writes the image atomically.
  ///
  /// - Throws: `Problem` when the file cannot be written.
  public func write(to path: String) throws(Problem) {
    try FileText.write(bytes, to: path)
  }

  /// The SHA-256 of the image, in hexadecimal.
  public var digest: String { SHA256.hexadecimal(of: bytes) }

  /// Returns a summary line: `hiking.image: 1 policy, 5120 bytes, SHA-256 …`.
  public func text(path: String) -> String {
    let count = file.texts.policies.count
    return "\(path): \(count) \(count == 1 ? "policy" : "policies"), \(bytes.count) bytes, SHA-256 \(digest)"
  }

  /// Returns one JSON object: the image's path, size and SHA-256, and the policies that it contains.
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
