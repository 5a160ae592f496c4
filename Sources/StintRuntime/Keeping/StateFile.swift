import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What is done to state files beside reading and writing them.
public enum StateFile {
  /// Gives a file that cannot be used the name `PATH.refused`, so that a new one does not hide what was wrong.
  public static func rejectFile(_ path: String) -> Bool { rename(path, path + ".refused") == 0 }

  /// Removes what writers that were killed left beside a state file: `PATH.new-NUMBER`. Only for the process that holds
  /// the file's lock. Returns how many there were.
  public static func removeDrafts(of path: String) -> Int {
    let prefix = FilePath.name(of: path) + ".new-"
    let folder = FilePath.parent(of: path)
    var count = 0
    do throws(Problem) {
      for name in try Folder.names(in: folder) where name.hasPrefix(prefix) {
        guard name.dropFirst(prefix.count).utf8.allSatisfy({ (48...57).contains($0) }) else { continue }
        if unlink(FilePath.join(folder, name)) == 0 { count += 1 }
      }
    } catch {
      return count
    }
    return count
  }
}
