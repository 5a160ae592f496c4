import StintDaemon
import StintFormats
import StintLanguage
import StintModel
import StintRuntime
import StintServices
import StintUnits

/// Reads and checks the policies of a bus. Each error has one of the codes that `Bus.load(policies:)`
/// documents.
struct BusPolicies: Sendable {
  private let loader: PolicyLoader

  init(_ vocabulary: Vocabulary) { loader = PolicyLoader(vocabulary: vocabulary) }

  /// Returns whether a policy can read the fact and all its words. A name may contain a word of the language,
  /// such as “and”.
  static func canRead(_ fact: FactSchema) -> Bool {
    let conditions =
      switch fact.type {
      case .boolean: [fact.path]
      case .quantity: ["\(fact.path) > \(fact.path)"]
      case .symbol(let words): words.map { "\(fact.path) is \($0)" }
      }
    let rules = conditions.enumerated().map { "rule r\($0) when \($1) { emit \"x\" }\n" }.joined()
    let text = SourceText(file: "fact", bytes: Array(("policy \"p\" version 1\n" + rules).utf8))
    let vocabulary = Vocabulary(manifests: [], declared: [fact])
    // In a policy, these words are values and never facts.
    return !["true", "false"].contains(fact.path)
      && PolicyLoader(vocabulary: vocabulary).load([text]).program != nil
  }

  /// Loads the policy file, the policy image or the folder of policy files at a path.
  func load(at path: String) throws(Problem) -> PolicyLoader.Loaded { try load(Self.files(at: path)) }

  /// Loads files, or one image. Loading large policies takes long, so callers use a separate thread.
  func load(_ files: [(path: String, bytes: [UInt8])]) throws(Problem) -> PolicyLoader.Loaded {
    if let image = files.first, files.count == 1, PolicyLoader.isImage(image.bytes) {
      do { return try loader.load(image: image.bytes) } catch {
        throw error.at(image.path).coded(.badPolicy)
      }
    }
    return try load(files.map { SourceText(file: $0.path, bytes: $0.bytes) })
  }

  /// Checks and compiles the texts of policies.
  func load(_ sources: [SourceText]) throws(Problem) -> PolicyLoader.Loaded {
    let loaded = loader.load(sources)
    guard loaded.program != nil else {
      throw Problem(.badPolicy, cause: DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))
    }
    if let misfit = loaded.misfit(loader.vocabulary) {
      throw Problem(
        .noSuchDevice, cause: misfit, remedy: "open the bus with these devices, or load other policies")
    }
    return loaded
  }

  /// Returns the texts of the policies at a path. For an image, returns the texts that it contains.
  private func sources(at path: String) throws(Problem) -> [SourceText] {
    let files = try Self.files(at: path)
    if let image = files.first, files.count == 1, PolicyLoader.isImage(image.bytes) {
      return try load(files).sources
    }
    return files.map { SourceText(file: $0.path, bytes: $0.bytes) }
  }

  /// Returns the functions with which a daemon reads and loads the policies at a path. For nil, they return
  /// no policies.
  func access(to path: String?) -> Daemon.PolicyAccess {
    Daemon.PolicyAccess(
      read: { try path.map { try sources(at: $0) } ?? [] },
      load: { sources in
        do throws(Problem) {
          return try load(sources)
        } catch {
          throw PolicyRejection(text: error.cause)
        }
      },
      loadFirst: { try path.map { try load(at: $0) } ?? .none })
  }

  /// Returns the path and the contents of each policy file. Contents beyond the size limit are cut off.
  private static func files(at path: String) throws(Problem) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    do throws(Problem) {
      for file in try Folder.policies(at: path) {
        files.append((file, try FileText.beginning(of: file, atMost: PolicyLoader.maxBytes + 1)))
      }
    } catch {
      throw error.coded(.unreadable)
    }
    guard !files.isEmpty else {
      throw Problem(
        .unreadable, place: path, cause: "no policy in this folder", remedy: "name a folder with .stint files"
      )
    }
    return files
  }
}
