import CStintProcess
import StintModel
import StintSystem

/// Makes the start options of a process in the C representation. Their memory is valid while the body of
/// `withPlan` runs.
enum ChildPlan {
  /// The environment of the program. Python must not write compiled files beside its modules or search a
  /// home folder.
  private static let environment = [
    "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/", "PYTHONDONTWRITEBYTECODE=1",
    "PYTHONNOUSERSITE=1",
    "STINT_PLUGIN_CHANNEL=3",
  ]

  /// The maximum number of file watches for a process that has access to granted paths.
  private static let watchLimit: UInt32 = 256
  /// The maximum number of timers and waiting signals of a process.
  private static let timerLimit: UInt64 = 128

  /// Calls the body with the plan of a program. The body may change the plan, but must not use the plan after
  /// the body has returned.
  static func withPlan(
    of program: ChildProgram, _ files: [SealedFile], cgroup: Int32, _ body: (inout stint_child_plan) -> Int32
  ) -> Int32 {
    let memory = PlanMemory()
    defer { memory.free() }
    let access = program.access
    let folder = files.isEmpty ? program.folder : nil
    let user =
      access.without.contains(.ownUser)
      ? nil : ChildUser(name: program.path, access: access, folder: folder)
    var plan = stint_child_plan()
    plan.path = UnsafePointer(memory.text(program.path))
    plan.arguments = memory.list([program.path] + program.arguments)
    plan.environment = memory.list(environment)
    plan.folder = UnsafePointer(memory.text(program.folder))
    plan.paths = memory.paths(paths(program, isSealed: !files.isEmpty))
    plan.sealed_folders = memory.constants(folders(of: files, of: program))
    plan.sealed_files = memory.files(files)
    plan.sealed_count = UInt32(files.count)
    plan.network = access.hasNetwork ? 1 : 0
    plan.writes = access.writable.isEmpty ? 0 : 1
    plan.starts = access.startsProcesses ? 1 : 0
    plan.controls = access.controlsDevices ? 1 : 0
    plan.watches = access.readable.isEmpty && access.writable.isEmpty ? 0 : watchLimit
    plan.timers = timerLimit
    plan.user = user?.number ?? 0
    plan.groups = memory.numbers(user?.groups ?? [])
    plan.group_count = UInt32(user?.groups.count ?? 0)
    plan.cgroup = cgroup
    plan.required = ContainmentMechanism.bits(of: access.neededMechanisms)
    plan.without = ContainmentMechanism.bits(of: access.without)
    plan.own_filter = access.hasOwnFilter ? 1 : 0
    return withExtendedLifetime(files) { body(&plan) }
  }

  /// Returns the paths that the process can access, each folder before its contents.
  private static func paths(_ program: ChildProgram, isSealed: Bool) -> [(String, Int32)] {
    let visible = Int32(stint_path_visible)
    let (readable, writable) = (visible | Int32(stint_path_readable), visible | Int32(stint_path_writable))
    var accessByPath: [String: Int32] = [:]
    for path in ChildAccess.commonPaths { accessByPath[path] = readable }
    for path in ChildAccess.harmless { accessByPath[path] = writable }
    if !isSealed { accessByPath[program.folder, default: 0] |= readable }
    for path in program.access.readable { accessByPath[path, default: 0] |= readable }
    for path in program.access.writable { accessByPath[path, default: 0] |= writable }
    // Many entries of `/sys` are symbolic links to other folders of `/sys`, so make all of `/sys` visible.
    if accessByPath.keys.contains(where: { $0.hasPrefix("/sys/") }) {
      accessByPath["/sys", default: 0] |= visible
    }
    return accessByPath.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns the folders that contain only sealed files.
  private static func folders(of files: [SealedFile], of program: ChildProgram) -> [String] {
    guard !files.isEmpty else { return [] }
    let folderPrefix = program.folder.hasSuffix("/") ? program.folder : program.folder + "/"
    let elsewhere = Set(files.filter { !$0.path.hasPrefix(folderPrefix) }.map(\.folder))
    return [program.folder] + elsewhere.sorted()
  }
}

/// Memory for the strings and arrays of a plan, freed all at once.
private final class PlanMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  func free() {
    for block in blocks { block.deallocate() }
    blocks = []
  }

  private func allocate<Element>(_ count: Int, of type: Element.Type) -> UnsafeMutablePointer<Element> {
    let pointer = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
    blocks.append(UnsafeMutableRawPointer(pointer))
    return pointer
  }

  func text(_ text: String) -> UnsafeMutablePointer<CChar> {
    let bytes = text.utf8CString
    let pointer = allocate(bytes.count, of: CChar.self)
    for (index, byte) in bytes.enumerated() { (pointer + index).initialize(to: byte) }
    return pointer
  }

  func list(_ texts: [String]) -> UnsafePointer<UnsafeMutablePointer<CChar>?> {
    let pointer = allocate(texts.count + 1, of: UnsafeMutablePointer<CChar>?.self)
    for (index, text) in texts.enumerated() { (pointer + index).initialize(to: self.text(text)) }
    (pointer + texts.count).initialize(to: nil)
    return UnsafePointer(pointer)
  }

  func constants(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    let pointer = allocate(texts.count + 1, of: UnsafePointer<CChar>?.self)
    for (index, text) in texts.enumerated() {
      (pointer + index).initialize(to: UnsafePointer(self.text(text)))
    }
    (pointer + texts.count).initialize(to: nil)
    return UnsafePointer(pointer)
  }

  func paths(_ paths: [(String, Int32)]) -> UnsafePointer<stint_path> {
    let pointer = allocate(paths.count + 1, of: stint_path.self)
    for (index, (path, access)) in paths.enumerated() {
      (pointer + index).initialize(to: stint_path(path: UnsafePointer(text(path)), access: access))
    }
    (pointer + paths.count).initialize(to: stint_path())
    return UnsafePointer(pointer)
  }

  func files(_ files: [SealedFile]) -> UnsafePointer<stint_sealed_file> {
    let pointer = allocate(files.count, of: stint_sealed_file.self)
    for (index, file) in files.enumerated() {
      (pointer + index).initialize(
        to: stint_sealed_file(
          path: UnsafePointer(text(file.path)), bytes: file.contents.bytes,
          count: UInt64(file.contents.count),
          is_program: file.isProgram ? 1 : 0))
    }
    return UnsafePointer(pointer)
  }

  func numbers(_ numbers: [UInt32]) -> UnsafePointer<UInt32> {
    let pointer = allocate(numbers.count, of: UInt32.self)
    for (index, number) in numbers.enumerated() { (pointer + index).initialize(to: number) }
    return UnsafePointer(pointer)
  }
}
