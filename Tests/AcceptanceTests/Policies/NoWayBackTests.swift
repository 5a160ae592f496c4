import StintLanguage
import StintModel
import StintSimulation
import Testing

@Suite("States that block their own exit") struct NoWayBackTests {
  private static let header = """
    policy "home" version 1
    use location.gnss as gps required
    use location.wifi as near
    use location.cell as coarse
    use motion.accelerometer as accel
    zone start = circle 47.05 8.31 radius 300 m

    """

  private func found(_ body: String) throws -> [Finding] {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let checked = Checker.check(
      [SourceText(file: "home.stint", text: Self.header + body)], vocabulary: vocabulary)
    try #require(!checked.diagnostics.contains { $0.severity == .error })
    return Analysis.run(checked.policies, vocabulary: vocabulary).filter { $0.diagnostic.code == .noWayBack }
  }

  @Test(
    "F17: on the simulated phone, a state that stops every device that its exit needs is refused",
    arguments: [
      "state a { goto b when inside(start) } state b { stop [gps, near, coarse] goto a when not inside(start) }",
      "state a { goto b when inside(start) } state b { stop [gps, near, coarse] goto a when exit(start) }",
      "state a { goto b when motion.activity is still for 5 min } state b { stop accel goto a when motion.activity is walking }",
    ])
  func refused(_ states: String) throws {
    let found = try found("machine m starts a { \(states) }")
    #expect(found.count == 1)
    #expect(found.first?.diagnostic.title.hasPrefix("nothing ever leads “m” out of “b”") == true)
  }

  @Test(
    "F17: a state is accepted if a device that it does not stop, or another fact, can still cause its exit",
    arguments: [
      "state a { goto b when inside(start) } state b { stop [gps, near] goto a when not inside(start) }",
      "state a { goto b when inside(start) } state b { stop [gps, near, coarse] goto a when screen.on }",
      "state a { goto b when inside(start) } state b { stop [gps, near, coarse] goto a when m is b for 1 h }",
      "state a { goto b when motion.activity is still for 5 min } state b { stop gps goto a when motion.activity is walking }",
    ])
  func accepted(_ states: String) throws {
    #expect(try found("machine m starts a { \(states) }").isEmpty)
  }
}
