#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The repository on disk, found from the path of this file.
enum SourceTree {
  /// The folder that contains `Package.swift`, without a slash at the end.
  static let root: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }()

  /// Every Swift file under Sources, Plugins and Tests, read and split once.
  static let files: [SourceFile] = ["Sources", "Plugins", "Tests"].flatMap { top in
    paths(under: top).filter { $0.hasSuffix(".swift") }.map { SourceFile(path: $0, bytes: bytes(of: $0)) }
  }

  /// Returns the entries of a folder, sorted by name. `isFolder` distinguishes folders from files.
  static func entries(of folder: String) -> [(name: String, isFolder: Bool)] {
    guard let stream = opendir(root + "/" + folder) else { return [] }
    defer { closedir(stream) }
    var result: [(String, Bool)] = []
    while let entry = readdir(stream) {
      // A record is only as long as its name, so a copy of a whole `dirent` could read beyond the record. The
      // name is therefore read in place.
      guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { break }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name == "." || name == ".." { continue }
      var status = stat()
      let known = stat(root + "/" + folder + "/" + name, &status) == 0
      result.append((name, known && status.st_mode & S_IFMT == S_IFDIR))
    }
    return result.sorted { $0.0 < $1.0 }
  }

  /// Returns the paths of all files under a folder, relative to the root of the repository.
  static func paths(under folder: String) -> [String] {
    entries(of: folder).flatMap { entry in
      entry.isFolder ? paths(under: folder + "/" + entry.name) : [folder + "/" + entry.name]
    }
  }

  /// Returns the content of a file; empty when it cannot be read.
  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(root + "/" + path, "r") else { return [] }
    defer { fclose(file) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return result }
      result += chunk[..<count]
    }
  }

  /// Returns the lines of a file; no lines when the file cannot be read.
  static func lines(of path: String) -> [Substring] {
    String(decoding: bytes(of: path), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
  }
}
