import StintRuntime
import StintUnits

/// The files of a plugin's folder that belong to its seal, and the entries that the seal excludes.
struct SealedFolder {
  /// The paths of the files that belong to the seal, relative to the folder.
  private(set) var names: [String] = []
  private(set) var skipped: [PluginSeal.LeftOut] = []
  /// The path of the folder, with all links resolved.
  private let root: String

  private static let maxFiles = 4_096
  private static let deepest = 16

  /// Lists a folder.
  ///
  /// - Throws: `Problem` when the folder cannot be read or contains too many files.
  init(_ folder: String) throws(Problem) {
    root = Folder.absolute(folder) ?? folder
    var folders = [(path: folder, prefix: "", depth: 0)]
    while let next = folders.popLast() {
      for path in try Folder.files(in: next.path, suffix: "") {
        let name = next.prefix + FilePath.name(of: path)
        if admits(path, name) { names.append(name) }
      }
      for path in try Folder.others(in: next.path) {
        let name = next.prefix + FilePath.name(of: path)
        skipped.append(.init(path: name, reason: "it is a pipe, a socket, a device or a broken link"))
      }
      for path in try Folder.folders(in: next.path) {
        let name = next.prefix + FilePath.name(of: path)
        if leadsUp(path, from: next.path) {
          skipped.append(.init(path: name, reason: "it is a link to a folder that contains it"))
          continue
        }
        guard admits(path, name) else { continue }
        if next.depth < Self.deepest {
          folders.append((path, name + "/", next.depth + 1))
        } else {
          skipped.append(.init(path: name, reason: "it is more than \(Self.deepest) folders deep"))
        }
      }
      guard names.count <= Self.maxFiles else {
        throw Problem(
          .content, place: folder, cause: "the folder contains more than \(Self.maxFiles) files",
          remedy: "move the plugin into its own folder")
      }
    }
    skipped.sort { $0.path < $1.path }
  }

  /// Returns true when a file or folder belongs to the seal. Adds any other path to `skipped`, with the
  /// reason.
  private mutating func admits(_ path: String, _ name: String) -> Bool {
    let isInside = contains(path)
    let isWanted = Self.belongs(FilePath.name(of: path))
    guard isInside, isWanted else {
      skipped.append(
        .init(
          path: name,
          reason: isInside ? "it is not part of a program" : "it is a link that leads out of the folder"))
      return false
    }
    return true
  }

  /// Returns whether a folder is a link to `parent` or to a folder above it. Listing the target of such a
  /// link would never end.
  private func leadsUp(_ path: String, from parent: String) -> Bool {
    guard let target = Folder.absolute(path), let parent = Folder.absolute(parent) else { return false }
    return (target + "/").hasPrefix(root + "/") && (parent + "/").hasPrefix(target + "/")
  }

  /// Returns whether a path, with links resolved, lies in the folder.
  func contains(_ path: String) -> Bool { Folder.absolute(path)?.hasPrefix(root + "/") ?? false }

  /// Returns whether a file or folder with this name belongs to the seal.
  ///
  /// The seal excludes hidden files, backups, swap files of editors, temporary and incomplete files, caches
  /// of Python, logs, journals, core dumps, process ids, tests, documentation, policies, the descriptor and
  /// the site file.
  static func belongs(_ name: String) -> Bool {
    let others: Set<String> = [
      "plugin.json", "site.json", "__pycache__", "Tests", "tests", "nohup.out", "core", "LICENSE",
      "README",
    ]
    let endings = [
      "~", ".bak", ".orig", ".rej", ".swp", ".swo", ".tmp", ".part", ".pyc", ".log", ".pid", ".stint", ".md",
      ".journal", "-site.json", ".site.json",
    ]
    let isBackup = name.hasPrefix("#") && name.hasSuffix("#")
    return !name.hasPrefix(".") && !others.contains(name) && !isBackup
      && !endings.contains(where: name.hasSuffix)
  }
}
