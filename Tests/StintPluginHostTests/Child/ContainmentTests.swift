import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import StintPluginHost

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if os(Linux)
  /// Tests the containment of a plugin's process with processes that try to escape.
  @Suite("Containment of plugins in separate processes", .enabled(if: ChildBench.hasPython))
  struct ContainmentTests {
    private static let on = Setting(isOn: true, period: .milliseconds(100))
    private static let namespaces: [ContainmentMechanism] = [
      .userNamespace, .mountNamespace, .processNamespace, .ipcNamespace, .networkNamespace, .ownUser,
    ]
    /// True when this system has the containment mechanisms that `escapes` requires.
    private static let hasAll = [ContainmentMechanism.landlock, .callFilter, .callNotice, .mountNamespace]
      .allSatisfy { ContainmentReport.current.includes($0) }

    @Test(
      "X07: no escape attempt succeeds; only root without a separate user may start a thousand threads",
      .enabled(if: hasAll),
      arguments: [
        (false, []), (true, []), (false, [.landlock]), (true, [.landlock, .userNamespace]),
        (false, [.ownUser]), (true, namespaces),
      ] as [(Bool, [ContainmentMechanism])])
    func escapes(hasOwnFilter: Bool, without: [ContainmentMechanism]) throws {
      try ChildBench.run("escapes", hasOwnFilter: hasOwnFilter, without: without) { bench in
        await bench.apply(Self.on)
        try await bench.fault(with: "could ")
        // When a process of root has no separate user, only the memory limit bounds its number of threads.
        let isRoot = geteuid() == 0 && without.contains(.ownUser)
        let held = ["could do none of 88 things"] + (isRoot ? ["could start a thousand threads"] : [])
        #expect(held.contains(bench.faults.first ?? ""), "\(bench.faults)")
        let status = bench.plugin.status
        #expect(without.allSatisfy { status.missing.contains($0) })
        let calls = Set(status.attempts.map(\.call))
        let wanted: Set<String> = [
          "chmod", "clone", "fcntl", "ioprio_set", "kill", "memfd_create", "mount", "openat", "prctl",
          "prlimit64",
          "ptrace", "sched_setaffinity", "setpriority", "setxattr", "shmget", "socket", "truncate", "unlink",
        ]
        #expect(wanted.subtracting(calls).isEmpty, "\(calls.sorted())")
      }
    }

    @Test(
      "a process is not started without a required containment mechanism, and the fault names the mechanism")
    func required() throws {
      try ChildBench.run(nil, without: [.landlock], required: [.callFilter, .landlock]) { bench in
        try await bench.waitForState { ChildBench.isQuarantined($0) }
        #expect(
          bench.faults.first == "start: cannot be contained as required: this system lacks landlock")
      }
    }

    @Test("a process that may start processes is not started without a PID namespace")
    func startsOnlyWithin() throws {
      try ChildBench.run("children", without: [.processNamespace], startsProcesses: true) { bench in
        try await bench.waitForState { ChildBench.isQuarantined($0) }
        #expect(bench.faults.first?.hasSuffix("this system lacks pid-namespace") == true, "\(bench.faults)")
      }
    }

    @Test("a process without the permission to start processes gets an error, and the attempt is recorded")
    func startsNone() throws {
      try ChildBench.run("children") { bench in
        await bench.apply(Self.on)
        try await bench.fault(with: "PermissionError")
        #expect(bench.plugin.status.attempts.map(\.call).contains("clone"))
      }
    }

    @Test("a process that makes more than 1,000 denied system calls is reported with a “flood” fault")
    func refusedCalls() throws {
      try ChildBench.run("refused") { bench in
        await bench.apply(Self.on)
        try await bench.fault(with: "flood: made more than 1000 system calls that are refused")
        let count = bench.plugin.status.attempts.first { $0.call == "chmod" }?.count
        #expect(count == 1001)
      }
    }

    @Test(
      "a process sees the sealed contents of its files, not those on disk, and no other file of its folder"
    )
    func sealed() throws {
      guard ContainmentReport.current.includes(.mountNamespace) else { return }
      let folder = try ScratchFolder()
      try folder.write("#!/bin/sh\nexit 9\n", as: "program")
      try folder.write("raise RuntimeError('loaded from the disk')", as: "struct.py")
      let text = """
        #!/usr/bin/env python3
        import os, struct
        print(",".join(sorted(os.listdir("."))), open("data").read())
        """
      let files = [
        try SealedFile(path: folder.path + "/program", bytes: Array(text.utf8), isProgram: true),
        try SealedFile(path: folder.path + "/data", bytes: Array("sealed".utf8)),
      ]
      let program = ChildProgram(
        name: "sealed", manifest: Manifest(device: "a.b", kind: .source, title: ""),
        path: folder.path + "/program", folder: folder.path)
      var child = try SpawnedChild(program, files, nil)
      var printed = OutputLines()
      var buffer = [UInt8](repeating: 0, count: 4096)
      var waiting = pollfd(fd: child.ending, events: Int16(POLLIN), revents: 0)
      #expect(poll(&waiting, 1, 30_000) == 1)
      while let part = SpawnedChild.receive(from: child.output, into: &buffer), !part.isEmpty {
        _ = printed.receive(part)
      }
      #expect(printed.last == "data,program sealed")
      #expect(child.reap()?.status == 0)
      child.release()
    }

    @Test("a process gets at most 256 file watches and 128 timers, and no watch without a granted path")
    func counters() throws {
      let folder = try ScratchFolder()
      for number in 0..<300 { try folder.write("", as: "file\(number)") }
      let text = """
        #!/usr/bin/env python3
        import ctypes
        library = ctypes.CDLL(None, use_errno=True)
        queue, timer, watches, timers = library.inotify_init1(0), ctypes.c_void_p(), 0, 0
        for number in range(300):
            if library.inotify_add_watch(queue, b"\(folder.path)/file%d" % number, 2) >= 0:
                watches += 1
        while timers < 1000 and library.timer_create(1, None, ctypes.byref(timer)) == 0:
            timers += 1
        print(watches, timers)
        """
      let granted = try counts(text, readable: [folder.path])
      #expect(granted.watches <= 256 && granted.timers <= 128)
      if ContainmentReport.current.includes(.userNamespace) { #expect(granted == (256, 128)) }
      let none = try counts(text, readable: [])
      #expect(none.watches == 0 && none.timers <= 128)
    }

    /// Runs a contained script and returns the two numbers that it prints.
    private func counts(_ text: String, readable: [String]) throws -> (watches: Int, timers: Int) {
      let home = try ScratchFolder()
      let path = home.path + "/program"
      let program = ChildProgram(
        name: "counters", manifest: Manifest(device: "a.b", kind: .source, title: ""), path: path,
        folder: home.path, access: ChildAccess(readable: readable))
      var child = try SpawnedChild(
        program, [try SealedFile(path: path, bytes: Array(text.utf8), isProgram: true)], nil)
      defer { child.release() }
      var printed = OutputLines()
      var buffer = [UInt8](repeating: 0, count: 4096)
      // A denied system call blocks the process until `nextAttempt` has handled the call.
      var waiting = [child.ending, child.attempts].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      while poll(&waiting, 2, 30_000) > 0, waiting[0].revents == 0 {
        while child.nextAttempt() != nil {}
      }
      while let part = SpawnedChild.receive(from: child.output, into: &buffer), !part.isEmpty {
        _ = printed.receive(part)
      }
      _ = child.reap()
      let numbers = (printed.last ?? "").split(separator: " ").compactMap { Int($0) }
      try #require(numbers.count == 2, "printed \(printed.last ?? "nothing")")
      return (numbers[0], numbers[1])
    }

    @Test("an allowed file within the plugin's folder is visible with its contents on disk")
    func givenWithinFolder() throws {
      try ChildBench.run(nil) { bench in
        await bench.apply(Self.on)
        let fact = try await bench.first("a fact") { if case .fact = $0 { true } else { false } }
        if case .fact(_, let value, _) = fact { #expect(value == .number(21.5)) }
        #expect(bench.plugin.status.attempts == [])
      }
    }
  }

  @Suite("Users and cgroups of plugins")
  struct ChildUserTests {
    @Test("a plugin of a root daemon has a separate user unless only root can access its paths")
    func users() throws {
      guard geteuid() == 0 else {
        #expect(ChildUser(name: "a", access: ChildAccess()) == nil)
        return
      }
      let folder = try ScratchFolder()
      for (name, mode, group) in [("all", 0o644, 0), ("group", 0o640, 20), ("root", 0o640, 0)]
        as [(String, mode_t, gid_t)]
      {
        try folder.write("x", as: name)
        #expect(chown(folder.path + "/" + name, 0, group) == 0 && chmod(folder.path + "/" + name, mode) == 0)
      }
      func user(_ readable: [String], _ writable: [String] = []) -> ChildUser? {
        ChildUser(
          name: "a",
          access: ChildAccess(
            readable: readable.map { folder.path + "/" + $0 },
            writable: writable.map { folder.path + "/" + $0 }))
      }
      #expect(user(["all", "missing"])?.groups == [])
      #expect(user(["all", "group"])?.groups == [20])
      #expect(user(["root"]) == nil && user([], ["all"]) == nil && user([], ["group"]) == nil)
      #expect(user(["all"])?.number == user(["group"])?.number)
    }

    @Test(
      "a plugin's cgroup is below the daemon's cgroup, and is made only with the controllers memory and pids"
    )
    func cgroups() throws {
      let folder = try ScratchFolder()
      try folder.write("0::/system.slice/stint.service\n", as: "own")
      try folder.write("proc /proc proc rw 0 0\ncgroup2 \(folder.path) cgroup2 rw 0 0\n", as: "mounts")
      let parents = PluginCgroup.parents(cgroups: folder.path + "/own", mounts: folder.path + "/mounts")
      #expect(parents == [folder.path + "/system.slice/stint.service"])
      try folder.write("tmpfs /tmp tmpfs rw 0 0\n", as: "mounts")
      #expect(PluginCgroup.parents(cgroups: folder.path + "/own", mounts: folder.path + "/mounts") == nil)
      try folder.write("cpu", as: "cgroup.subtree_control")
      #expect(PluginCgroup(memory: 1, processes: 1, below: [folder.path]) == nil)
    }
  }
#endif
