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
  public static func putAside(_ path: String) -> Bool { rename(path, path + ".refused") == 0 }
}
