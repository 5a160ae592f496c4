import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which folders decide what the watched paths lead to, and which names in them.
///
/// A path is followed as the system follows it: component by component, through symbolic links. Each link on
/// the way can be swapped, so its name is watched in the folder that it lies in; a component that is missing
/// is awaited where it is missing. A plan is a picture of one moment and is made again after each change.
struct WatchPlan: Equatable {
  /// What is of interest in a folder.
  struct Interest: Equatable {
    /// Names that links or missing components have, with the targets that lead through them.
    var names: [String: Set<Int>] = [:]
    /// Targets that ask for the files of this folder.
    var files: Set<Int> = []
    /// Targets that end when the folder does.
    var passing: Set<Int> = []

    /// Whether anything that happens in the folder matters; else only what happens to the folder itself.
    var hasChildren: Bool { !names.isEmpty || !files.isEmpty }
  }

  /// By the folder's own path, without links.
  private(set) var folders: [String: Interest] = [:]
  /// By target: the error number where its path leads to nothing; 0 where it leads to something.
  private(set) var failures: [Int32] = []

  /// Follows the paths of targets as they are now.
  init(_ targets: [WatchTarget]) {
    for (number, target) in targets.enumerated() {
      let walk = Walk(target.folder)
      note(walk, number)
      var failure = walk.failure
      if failure == 0, !walk.isFolder { failure = ENOTDIR }
      failures.append(failure)
      guard failure == 0 else { continue }
      folders[walk.end, default: Interest()].files.insert(number)
      for name in target.linked(in: walk.end) { note(Walk(FilePath.join(walk.end, name)), number) }
    }
  }

  private mutating func note(_ walk: Walk, _ target: Int) {
    for place in walk.places {
      folders[place.folder, default: Interest()].names[place.name, default: []].insert(target)
    }
    for folder in walk.folders { folders[folder, default: Interest()].passing.insert(target) }
  }

  /// A path followed to its end, or as far as there is something.
  private struct Walk {
    /// Links and missing components: the folder in which, and the name.
    var places: [(folder: String, name: String)] = []
    /// The folders that were passed, the last one included.
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
          guard hops <= 40, let target = Self.target(of: path) else {
            failure = ELOOP
            return
          }
          if target.hasPrefix("/") { end = "/" }
          rest = Self.components(target) + rest
        case S_IFDIR:
          end = path
          folders.append(path)
        default:
          // The last component is a file, which is watched by its name in its folder.
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

    private static func target(of link: String) -> String? {
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = bytes.withUnsafeMutableBytes { buffer -> Int in
        guard let start = buffer.baseAddress else { return -1 }
        return readlink(link, start.assumingMemoryBound(to: CChar.self), buffer.count)
      }
      return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
  }
}

extension WatchTarget {
  /// The names in the folder that the target asks for and that are symbolic links.
  fileprivate func linked(in folder: String) -> [String] {
    let names: [String]
    switch self {
    case .file(let path): names = [FilePath.name(of: path)]
    case .folder(_, let suffix):
      // A folder that cannot be read has no links to follow; it is watched all the same.
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
