import Testing

#if os(Linux) && canImport(Glibc)
  import Glibc

  /// Runs the program in a separate process.
  @Suite struct IdleProcessTests {
    @Test(
      "P12: a daemon without demands makes no voluntary context switch, and SIGTERM ends it cleanly")
    func idle() throws {
      let program = try #require(Child.program, "the program is built beside the tests")
      let policy = Child.repository + "/policies/hiking.stint"
      var child = try Child(
        [program, "run", "--policies", policy, "--simulate", "quiet", "--speed", "1", "--quiet"])
      // The daemon prints its greeting immediately before it sleeps.
      let hasBegun = child.readUntil("Ctrl-C ends")
      #expect(hasBegun)
      // One second later, the daemon releases memory pages of its code.
      child.waitForSilence(milliseconds: 2500)
      let before = child.voluntarySwitches
      child.waitForSilence(milliseconds: 3000)
      let after = child.voluntarySwitches
      #expect(before != nil && before == after, "\(before ?? -1) and then \(after ?? -1) switches")
      #expect(child.threads == 1)
      child.signal(SIGTERM)
      let isOff = child.readUntil("every device is off")
      #expect(isOff)
      #expect(child.exitCode() == 0)
    }
  }
#endif
