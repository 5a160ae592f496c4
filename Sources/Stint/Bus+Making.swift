import StintFormats
import StintGovernor
import StintLanguage
import StintModel
import StintPluginHost
import StintPluginKit
import StintRuntime
import StintServices
import StintUnits

/// Creates the parts of a bus. Each throwing function sets the code of its part.
extension Bus {
  static func thread() throws(Problem) -> LoopThread {
    do throws(Problem) {
      return try LoopThread()
    } catch {
      throw Problem(.closed, cause: "cannot start a thread for the bus: \(error)")
    }
  }

  /// Returns the schemas of the facts that apps publish, by path. Throws when a path occurs twice.
  static func schemas(of facts: [AppFact]) throws(Problem) -> [String: FactSchema] {
    var schemas: [String: FactSchema] = [:]
    for fact in facts {
      if fact.path == AppFact.state.path, fact.kind != AppFact.state.kind {
        throw Problem(
          .badFact, cause: "“\(fact.path)” is one of foreground, background", remedy: "remove the declaration"
        )
      }
      guard schemas.updateValue(try fact.schema(), forKey: fact.path) == nil else {
        throw Problem(.badFact, cause: "“\(fact.path)” is declared twice", remedy: "remove one")
      }
    }
    return schemas
  }

  /// Returns the vocabulary of the devices and of the facts that apps declare, with `app.state`.
  static func vocabulary(_ manifests: [Manifest], _ schemas: [String: FactSchema]) -> Vocabulary {
    var declared = schemas
    if Vocabulary(manifests: manifests).fact(AppFact.state.path) == nil {
      declared[AppFact.state.path] = AppFact.stateSchema
    }
    return Vocabulary(manifests: manifests, declared: declared.values.sorted { $0.path < $1.path })
  }

  /// Throws when an app and a device declare a fact with the same path.
  static func check(_ schemas: [String: FactSchema], against plugins: PluginSet) throws(Problem) {
    let devices = Vocabulary(manifests: plugins.manifests)
    for path in schemas.keys.sorted() {
      guard let fact = devices.fact(path), !devices.isAbsent(fact) else { continue }
      throw Problem(.badFact, cause: "“\(path)” is a fact of a device", remedy: "use another name")
    }
  }

  /// Returns the services file and the state that it contains. Returns nil without a path.
  ///
  /// - Parameter types: the app's own types of services and notices.
  static func services(
    _ path: String?, _ types: [any Persistent.Type]
  ) throws(Problem) -> (file: ServicesFile, saved: SavedServices?)? {
    guard let path else { return nil }
    let file = ServicesFile(path, types: .all.adding(types))
    do throws(Problem) {
      try FileText.checkWriting(to: path)
      return (file, try file.load())
    } catch {
      throw error.coded(.unreadable)
    }
  }

  /// Checks, compiles and prepares policies, or loads an image. Runs on a separate thread.
  static func prepared(
    _ path: String, _ files: [(path: String, bytes: [UInt8])], _ vocabulary: Vocabulary, _ governor: Governor
  ) throws(Problem) -> (PolicyLoader.Loaded, PreparedProgram) {
    let loader = PolicyLoader(vocabulary: vocabulary)
    let loaded: PolicyLoader.Loaded
    if let image = files.first, files.count == 1, PolicyLoader.isImage(image.bytes) {
      do { loaded = try loader.load(image: image.bytes) } catch {
        throw error.at(image.path).coded(.badPolicy)
      }
    } else {
      loaded = loader.load(files.map { SourceText(file: $0.path, bytes: $0.bytes) })
    }
    guard let program = loaded.program else {
      throw Problem(.badPolicy, cause: DiagnosticRenderer.text(loaded.diagnostics, sources: loaded.sources))
    }
    do { return (loaded, try governor.prepare(program)) } catch {
      throw error.at(path).coded(.badPolicy)
    }
  }

  /// Returns the path and the contents of each policy file. Contents beyond the size limit are cut off.
  static func files(at path: String) throws(Problem) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    do throws(Problem) {
      for file in try Folder.policies(at: path) {
        files.append((file, try FileText.beginning(of: file, atMost: PolicyLoader.mostBytes + 1)))
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

  /// Returns the rules of a time zone. Nil means the host's zone for the system clock, UTC for virtual time.
  static func rules(of name: String?, _ clock: Clock) throws(Problem) -> TimeZoneRules {
    let fallback =
      switch clock {
      case .system: "host"
      case .virtual: "UTC"
      }
    do throws(Problem) {
      return try TimeZoneChoice.rules(name ?? fallback)
    } catch {
      throw error.coded(.badTimeZone)
    }
  }

  static func plugins(
    _ source: PluginSource, onReady: @escaping @Sendable () -> Void
  ) throws(Problem) -> PluginSet {
    let plugins: [any DevicePlugin] =
      switch source {
      case .linked(let plugins): plugins
      case .directory(let path): try PluginFolder.read(path)
      }
    do throws(Problem) {
      return try PluginSet(plugins) { _ in onReady() }
    } catch {
      throw error.coded(.badPlugin)
    }
  }
}
