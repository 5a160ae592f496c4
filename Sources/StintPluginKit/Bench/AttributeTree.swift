import StintSystem
public import StintUnits

/// A temporary folder in which a test imitates `/sys` and `/dev`. `deinit` deletes it.
///
/// Paths are relative to its root, without a leading slash. A failed call means that the test environment
/// is broken.
public final class AttributeTree {
  /// The absolute path of the folder.
  public let root: String

  /// Makes an empty folder below `/tmp`.
  ///
  /// - Throws: `Problem` when it cannot be created.
  public init() throws(Problem) {
    var template = Array("/tmp/stint-tree-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw DescriptorCalls.problem(errno, "mkdtemp") }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(root) }

  /// Writes a line into a file, and creates its parent folders.
  public func set(_ path: String, _ text: String) throws(Problem) {
    try set(path, bytes: Array((text + "\n").utf8))
  }

  /// Writes bytes into a file, and creates its parent folders.
  public func set(_ path: String, bytes: [UInt8]) throws(Problem) {
    try makeFolders(for: path)
    guard let file = fopen(root + "/" + path, "w") else {
      throw DescriptorCalls.problem(errno, path)
    }
    defer { fclose(file) }
    fwrite(bytes, 1, bytes.count, file)
  }

  /// Returns the contents of a file without white space around them; empty when it cannot be read.
  public func text(_ path: String) -> String {
    do throws(Problem) { return try AttributeFolder(root).text(path) } catch { return "" }
  }

  /// Makes a file read-only: writes fail, except by root.
  public func protect(_ path: String) { chmod(root + "/" + path, 0o444) }

  /// Makes a named pipe, which imitates a device node.
  public func makePipe(_ path: String) throws(Problem) {
    try makeFolders(for: path)
    guard mkfifo(root + "/" + path, 0o600) == 0 else {
      throw DescriptorCalls.problem(errno, path)
    }
  }

  /// Opens a pipe for writing and returns its descriptor. A reader must already have opened the pipe.
  public func openPipe(_ path: String) throws(Problem) -> Int32 {
    let descriptor = StintSystem.open(root + "/" + path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw DescriptorCalls.problem(errno, path) }
    return descriptor
  }

  /// Makes a symbolic link to `target`, and creates its parent folders.
  public func link(_ path: String, to target: String) throws(Problem) {
    try makeFolders(for: path)
    guard symlink(target, root + "/" + path) == 0 else {
      throw DescriptorCalls.problem(errno, path)
    }
  }

  /// Removes a file, or a folder with its contents.
  public func remove(_ path: String) { Self.remove(root + "/" + path) }

  private func makeFolders(for path: String) throws(Problem) {
    var folder = root
    for name in path.split(separator: "/").dropLast() {
      folder += "/" + name
      guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
        throw DescriptorCalls.problem(errno, folder)
      }
    }
  }

  private static func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in AttributeFolder(path).names { remove(path + "/" + name) }
    rmdir(path)
  }
}
