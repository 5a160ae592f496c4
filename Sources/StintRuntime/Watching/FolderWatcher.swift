import StintModel

#if os(Linux)
  import Synchronization

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Notices what happens to files in folders, and to the folders themselves, without asking again and again.
  ///
  /// Single files are watched through their folders, because editors replace files instead of writing into
  /// them. A folder that vanished is picked up again when it returns, as long as the folder above it stays.
  public final class FolderWatcher: Sendable {
    /// Readable when there is something to drain.
    public let descriptor: Int32
    private let targets: [WatchTarget]
    private let table = Locked(WatchTable())

    /// Begins to watch.
    public init(_ targets: [WatchTarget]) throws(WatchError) {
      self.targets = targets
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else {
        throw .from(errno, path: targets.first?.folder ?? ".")
      }
      for folder in folders where !add(folder) { throw .from(errno, path: folder) }
    }

    deinit { close(descriptor) }

    /// What has happened since the last call: one change for each path, sorted by path. Never blocks.
    public func drain() -> [FileChange] {
      var changes: [FileChange] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        for event in NoticedEvent.parse(Array(buffer[..<count])) { changes += self.changes(for: event) }
      }
      return FileChange.merged(changes)
    }

    private var folders: [String] { Set(targets.map(\.folder)).sorted() }

    /// Watches a folder that is asked for; false, with the reason in `errno`, when that cannot be.
    private func add(_ folder: String) -> Bool {
      let watch = inotify_add_watch(descriptor, folder, NoticedEvent.mask | UInt32(bitPattern: IN_ONLYDIR))
      guard watch >= 0 else { return false }
      table.withLock { $0.begin(folder, as: watch) }
      return true
    }

    private func changes(for event: NoticedEvent) -> [FileChange] {
      if event.has(IN_Q_OVERFLOW) { return folders.map { FileChange(path: $0, kind: .missed) } }
      let place = table.withLock { $0.place(of: event.watch) }
      var changes: [FileChange] = []
      if let folder = place.folder {
        if event.has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) {
          changes += vanished(folder, watch: event.watch)
        } else if let kind = kind(of: event, in: folder) {
          changes.append(FileChange(path: FilePath.join(folder, event.name), kind: kind))
        }
      }
      if event.has(IN_CREATE | IN_MOVED_TO) {
        for folder in place.awaited where FilePath.name(of: folder) == event.name && returned(folder) {
          changes.append(FileChange(path: folder, kind: .folderReturned))
        }
      }
      return changes
    }

    /// What an event in a watched folder means; nil when nobody asked for it.
    private func kind(of event: NoticedEvent, in folder: String) -> FileChange.Kind? {
      let isWanted = targets.contains { $0.folder == folder && $0.includes(event.name) }
      guard isWanted, !event.has(IN_ISDIR) else { return nil }
      if event.has(IN_DELETE | IN_MOVED_FROM) { return .removed }
      // A new file is told when its writer closes it. A new link is complete at once.
      if event.has(IN_CREATE), !isLink(FilePath.join(folder, event.name)) { return nil }
      return .written
    }

    private func isLink(_ path: String) -> Bool {
      var status = stat()
      guard lstat(path, &status) == 0 else { return false }
      return status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1
    }

    /// Stops watching what no longer has the folder's path, and waits for another folder to take it.
    private func vanished(_ folder: String, watch: Int32) -> [FileChange] {
      inotify_rm_watch(descriptor, watch)
      let above = inotify_add_watch(
        descriptor, FilePath.parent(of: folder), NoticedEvent.mask | UInt32(bitPattern: IN_ONLYDIR))
      table.withLock { table in
        table.end(watch)
        if above >= 0 { table.await(folder, in: above) }
      }
      // It may have returned before the folder above was watched.
      return [FileChange(path: folder, kind: returned(folder) ? .folderReturned : .folderVanished)]
    }

    private func returned(_ folder: String) -> Bool {
      guard add(folder) else { return false }
      for unused in table.withLock({ $0.stopAwaiting(folder) }) { inotify_rm_watch(descriptor, unused) }
      return true
    }
  }
#else
  /// Notices what happens to files in folders; not on this operating system yet.
  public final class FolderWatcher: Sendable {
    /// Readable when there is something to drain.
    public let descriptor: Int32 = -1

    /// Always throws `unsupported`.
    public init(_ targets: [WatchTarget]) throws(WatchError) {
      throw WatchError(
        .unsupported, path: targets.first?.folder ?? ".",
        cause: "this system's file events are not supported yet",
        nextStep: "restart after every edit")
    }

    /// What has happened since the last call.
    public func drain() -> [FileChange] { [] }
  }
#endif
