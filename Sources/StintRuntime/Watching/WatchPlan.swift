import StintSystem
import StintUnits

/// The folders, and the names in them, that determine where the watched paths lead.
///
/// Paths are resolved as the system does: component by component, through symbolic links. Each link can be
/// replaced, so the folder that contains the link is watched. When a component is missing, its parent
/// folder is watched until the component exists. A plan describes one moment and is computed again after
/// each change.
struct WatchPlan: Equatable {
  /// The relevant entries of a folder.
  struct Interest: Equatable {
    /// The names of links and missing components, with the targets whose paths use them.
    var names: [String: Set<Int>] = [:]
    /// The targets with files in this folder.
    var files: Set<Int> = []
    /// The targets whose paths pass through this folder.
    var passing: Set<Int> = []

    /// True when changes of entries in the folder are relevant. Otherwise only changes of the folder itself
    /// are relevant.
    var hasChildren: Bool { !names.isEmpty || !files.isEmpty }
  }

  /// By the path of the folder, without links.
  private(set) var folders: [String: Interest] = [:]
  /// By target index: 0, or the error number when its path cannot be resolved.
  private(set) var failures: [Int32] = []

  /// Resolves the current paths of the targets.
  init(_ targets: [WatchTarget]) {
    for (number, target) in targets.enumerated() {
      let walk = Walk(target.folder)
      note(walk, number)
      var failure = walk.failure
      if failure == 0, !walk.isFolder { failure = ENOTDIR }
      failures.append(failure)
      guard failure == 0 else { continue }
      folders[walk.end, default: Interest()].files.insert(number)
      for name in target.links(in: walk.end) { note(Walk(FilePath.join(walk.end, name)), number) }
    }
  }

  private mutating func note(_ walk: Walk, _ target: Int) {
    for place in walk.places {
      folders[place.folder, default: Interest()].names[place.name, default: []].insert(target)
    }
    for folder in walk.folders { folders[folder, default: Interest()].passing.insert(target) }
  }

  /// The resolution of a path, to its end or to its first missing component.
  private struct Walk {
    /// The links and missing components: the folder and the name.
    var places: [(folder: String, name: String)] = []
    /// The folders on the path, including the last one.
    var folders: [String] = []
    var end = "/"
    var isFolder = true
    var failure: Int32 = 0

    init(_ path: String) {
      var rest = Self.components(path)
      if !path.hasPrefix("/"), let here = Folder.absolute(".") { rest = Self.components(here) + rest }
      var hops = 0
      while let name = rest.first {
        rest.removeFirst()
        if name == ".." {
          end = FilePath.parent(of: end)
          continue
        }
        let path = FilePath.join(end, name)
        var status = stat()
        guard lstat(path, &status) == 0 else {
          failure = errno
          places.append((end, name))
          return
        }
        switch status.st_mode & S_IFMT {
        case S_IFLNK:
          places.append((end, name))
          hops += 1
          guard hops <= 40, let target = Folder.target(ofLink: path) else {
            failure = ELOOP
            return
          }
          if target.hasPrefix("/") { end = "/" }
          rest = Self.components(target) + rest
        case S_IFDIR:
          end = path
          folders.append(path)
        default:
          // This component is a file, which is watched by its name in its folder.
          places.append((end, name))
          end = path
          isFolder = false
          if !rest.isEmpty { failure = ENOTDIR }
          return
        }
      }
    }

    private static func components(_ path: String) -> [String] {
      path.split(separator: "/").map(String.init).filter { $0 != "." }
    }
  }
}

extension WatchTarget {
  /// Returns the names in the folder that belong to the target and are symbolic links.
  fileprivate func links(in folder: String) -> [String] {
    let names: [String]
    switch self {
    case .file(let path): names = [FilePath.name(of: path)]
    case .folder(_, let suffix):
      // The links in an unreadable folder cannot be followed, but the folder itself is watched nevertheless.
      do throws(Problem) { names = try Folder.names(in: folder).filter { $0.hasSuffix(suffix) } } catch {
        names = []
      }
    }
    return names.filter { name in
      var status = stat()
      return lstat(FilePath.join(folder, name), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
  }
}
