import StintModel
public import StintUnits

#if os(Linux)
  import Synchronization

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// A watcher that reports changes of files in folders, and of the folders themselves, without polling.
  ///
  /// Single files are watched through their folders, because editors replace files instead of writing to
  /// them. Symbolic links are followed, both to files and on the path to a folder; replacing a link is a
  /// change. A removed folder or parent folder is watched again when it exists again.
  public final class FolderWatcher: Sendable {
    /// The descriptor to poll: readable when `drain()` has changes to return.
    public let descriptor: Int32
    private let targets: [WatchTarget]
    private let state: Locked<State>

    private struct State {
      var plan: WatchPlan
      /// By folder path: the watch descriptor of the kernel and its event mask.
      var watches: [String: (number: Int32, mask: UInt32)] = [:]
    }

    /// Starts to watch the targets. Throws when a folder cannot be watched.
    public init(_ targets: [WatchTarget]) throws(Problem) {
      self.targets = targets
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      let plan = WatchPlan(targets)
      state = Locked(State(plan: plan))
      guard descriptor >= 0 else { throw .watching(targets.first?.folder ?? ".", errno) }
      for (target, failure) in zip(targets, plan.failures) where failure != 0 {
        throw .watching(target.folder, failure)
      }
      let refused = state.withLock { follow(&$0) }
      if let refused { throw .watching(refused.path, refused.number) }
    }

    deinit { close(descriptor) }

    /// Returns the changes since the last call: one per path, sorted by path. Blocks while the file system of
    /// a folder does not respond.
    public func drain() -> [FileChange] { changes(of: read()) }

    /// The path of the first target, for messages.
    var place: String { targets.first?.folder ?? "." }

    /// Returns the events of the kernel since the last call. Accesses no file and never blocks.
    func read() -> [FileEvent] {
      var events: [FileEvent] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = readEvents(&buffer)
        guard count > 0 else { return events }
        events += FileEvent.parse(Array(buffer[..<count]))
      }
    }

    private func readEvents(_ buffer: inout [UInt8]) -> Int {
      #if canImport(Glibc)
        Glibc.read(descriptor, &buffer, buffer.count)
      #else
        Musl.read(descriptor, &buffer, buffer.count)
      #endif
    }

    /// Returns the changes in events: one per path, sorted by path. Blocks while the file system of a folder
    /// does not respond.
    func changes(of events: [FileEvent]) -> [FileChange] {
      guard !events.isEmpty else { return [] }
      return state.withLock { state in
        var changes: [FileChange] = []
        var affected: Set<Int> = []
        for event in events { changes += self.changes(for: event, state, &affected) }
        _ = follow(&state)
        for target in affected.sorted() { changes.append(change(of: target, state.plan)) }
        return FileChange.merged(changes)
      }
    }

    // MARK: Handling events

    /// Returns the changes of files in an event. Adds to `affected` the targets whose paths may now lead to
    /// another folder.
    private func changes(for event: FileEvent, _ state: State, _ affected: inout Set<Int>) -> [FileChange] {
      if event.has(IN_Q_OVERFLOW) {
        return Set(targets.map(\.folder)).sorted().map { FileChange(path: $0, kind: .missed) }
      }
      guard let folder = state.watches.first(where: { $0.value.number == event.watch })?.key,
        let interest = state.plan.folders[folder]
      else { return [] }
      if event.name.isEmpty {
        if !event.has(IN_IGNORED) { affected.formUnion(interest.passing) }
        return []
      }
      // A new file is reported when its writer closes it. A link, a folder, a pipe, a socket and a device are
      // complete at once.
      if event.has(IN_CREATE), isUnfinishedFile(FilePath.join(folder, event.name)) { return [] }
      let kind: FileChange.Kind = event.has(IN_DELETE | IN_MOVED_FROM) ? .removed : .written
      let changes = interest.files.sorted().filter { targets[$0].includes(event.name) }
        .map { FileChange(path: FilePath.join(targets[$0].folder, event.name), kind: kind) }
      if changes.isEmpty || event.has(IN_ISDIR) { affected.formUnion(interest.names[event.name] ?? []) }
      return changes
    }

    /// Returns the change of a target whose path now leads to another folder or to no folder.
    private func change(of target: Int, _ plan: WatchPlan) -> FileChange {
      let isThere = plan.failures[target] == 0
      return FileChange(path: targets[target].folder, kind: isThere ? .folderReturned : .folderVanished)
    }

    /// Returns true for a regular file with one hard link, which its writer may still have open. Also true
    /// when nothing is found at the path.
    private func isUnfinishedFile(_ path: String) -> Bool {
      var status = stat()
      guard lstat(path, &status) == 0 else { return true }
      return status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    }

    // MARK: Following the paths

    /// Computes the plan and sets the watches of the kernel. Repeats this until the plan stays the same
    /// during an attempt, but makes at most four attempts.
    ///
    /// - Returns: the first folder with watched files that the kernel refuses to watch; nil when it watches
    ///   all of them.
    private func follow(_ state: inout State) -> (path: String, number: Int32)? {
      var refused: (path: String, number: Int32)?
      for _ in 0..<4 {
        let plan = WatchPlan(targets)
        refused = watch(plan, &state)
        let isStable = plan == state.plan && WatchPlan(targets) == plan
        state.plan = plan
        if isStable { break }
      }
      return refused
    }

    private func watch(_ plan: WatchPlan, _ state: inout State) -> (path: String, number: Int32)? {
      var refused: (path: String, number: Int32)?
      var watches: [String: (number: Int32, mask: UInt32)] = [:]
      for (folder, interest) in plan.folders.sorted(by: { $0.key < $1.key }) {
        let mask = interest.hasChildren ? FileEvent.children : FileEvent.itself
        let number = inotify_add_watch(descriptor, folder, mask)
        if number >= 0 {
          watches[folder] = (number, mask)
        } else if !interest.files.isEmpty, refused == nil {
          refused = (folder, errno)
          // Keep the existing watch of an unreadable folder: it reports when the permissions change.
          watches[folder] = state.watches[folder]
        }
      }
      let wanted = Set(watches.values.map(\.number))
      for former in state.watches.values where !wanted.contains(former.number) {
        inotify_rm_watch(descriptor, former.number)
      }
      state.watches = watches
      return refused
    }
  }
#else
  /// A watcher that reports changes of files in folders. It does not support this operating system yet.
  public final class FolderWatcher: Sendable {
    /// Always -1.
    public let descriptor: Int32 = -1

    /// Always throws `unsupported`.
    public init(_ targets: [WatchTarget]) throws(Problem) {
      throw Problem(
        .unsupported, place: targets.first?.folder ?? ".",
        cause: "cannot be watched: this system's file events are not supported yet",
        remedy: "restart after every edit")
    }

    /// Returns no changes.
    public func drain() -> [FileChange] { [] }

    /// The path of the targets, for messages.
    var place: String { "." }

    func read() -> [FileEvent] { [] }

    func changes(of events: [FileEvent]) -> [FileChange] { [] }
  }
#endif
