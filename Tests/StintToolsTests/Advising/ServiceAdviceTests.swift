import StintLanguage
import StintModel
import StintSimulation
import StintTools
import StintUnits
import Testing

@Suite struct ServiceAdviceTests {
  /// Items of a policy, with the service that the advice must name.
  struct Labelled: Sendable, CustomTestStringConvertible {
    var service: LocationService
    /// The effect of the policy, for the output of the test.
    var says: String
    var items: String
    var testDescription: String { says }
  }

  private static let uses = """
    use location.gnss as gps
    use location.wifi as near
    use location.cell as coarse
    """

  static let policies: [Labelled] = [
    Labelled(
      service: .updates, says: "guides a car",
      items: "rule r always { start gps for \"guide\" with { accuracy 10 m  activity automotive } }"),
    Labelled(
      service: .updates, says: "records a run",
      items: """
        default gps { accuracy 20 m  activity fitness }
        rule r while app.state is foreground { start gps for "run" }
        """),
    Labelled(
      service: .updates, says: "needs metres for a survey",
      items: "rule r while screen.on { start gps for \"survey\" with { accuracy 15 m } }"),
    Labelled(
      service: .fix, says: "requests one position every 15 minutes",
      items: "rule r every 15 min flex 3 min { fix gps to 50 m timeout 60 s }"),
    Labelled(
      service: .fix, says: "requests one position when the app comes to the front",
      items: "rule r when app.state is foreground { fix near to 200 m timeout 30 s }"),
    Labelled(
      service: .regions, says: "arrives at the depot",
      items: """
        zone depot = circle 47.3769 8.5417 radius 150 m
        rule r always { start near with { accuracy 100 m } }
        rule in_depot when enter(depot) { emit "depot.in" }
        """),
    Labelled(
      service: .regions, says: "leaves home, with a rule that watches the zone",
      items: """
        zone home = circle 47.3769 8.5417 radius 250 m
        rule r while not screen.on { watch home on near }
        rule out when exit(home) { emit "left" }
        """),
    Labelled(
      service: .regions, says: "finds a circle with satellites",
      items: """
        zone school = circle 47.3769 8.5417 radius 100 m
        rule r always { start gps with { accuracy 30 m } }
        rule there while inside(school) { batch radio.cellular until 10 min }
        """),
    Labelled(
      service: .visits, says: "waits for a stay by the activity",
      items: """
        rule r always { start near with { accuracy 100 m } }
        rule stay when motion.activity is still for 10 min { emit "stayed" }
        """),
    Labelled(
      service: .visits, says: "waits for a stay by the speed",
      items: """
        rule r always { start near with { accuracy 200 m } }
        rule stay when near.speed < 0.5 m/s for 5 min { emit "stayed" }
        """),
    Labelled(
      service: .moves, says: "finds the part of the town",
      items: "rule r always { start near for \"weather\" with { accuracy 1 km } }"),
    Labelled(
      service: .moves, says: "finds the town",
      items: "rule r while not app.state is foreground { start coarse for \"news\" with { accuracy 3 km } }"),
  ]

  private func check(_ items: String) throws -> (check: PolicyCheck, vocabulary: Vocabulary) {
    let vocabulary = Vocabulary(manifests: try ReferencePhone.manifests())
    let text = "policy \"p\" version 1\n\(Self.uses)\n\(items)\n"
    let source = SourceText(file: "p.stint", bytes: Array(text.utf8))
    return (PolicyCheck([source], vocabulary: vocabulary), vocabulary)
  }

  @Test(
    "R09: for each of twelve policies, the advice is the expected service with a reason", arguments: policies)
  func labels(policy: Labelled) throws {
    let (check, vocabulary) = try check(policy.items)
    #expect(!check.hasErrors, "\(check.diagnostics.map(\.title))")
    let advice = try #require(check.policies.first.map { ServiceAdvice.all(for: $0, vocabulary: vocabulary) })
    #expect(advice.map(\.service) == [policy.service])
    let text = check.advice(vocabulary)
    let reason = try #require(advice.first?.reason)
    #expect(!reason.isEmpty)
    #expect(text.contains("advice   p/r") && text.contains(reason))
  }

  @Test("X03: at a desk, the moves service costs more than the visits service, and the advice reports this")
  func desk() throws {
    let (check, vocabulary) = try check(Self.policies[10].items)
    #expect(check.advice(vocabulary).contains("moves cost more than visits while the host is still"))
    let costs = [LocationService.visits, .regions, .moves].compactMap { $0.dayAtDesk(vocabulary) }
    #expect(costs.count == 3)
    #expect(zip(costs, costs.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("the advice is empty for a policy without positions or with errors")
  func none() throws {
    let (valid, vocabulary) = try check("rule r always { batch radio.cellular until 10 min }")
    #expect(valid.advice(vocabulary).isEmpty)
    let (invalid, _) = try check("rule r always { start nothing }")
    #expect(invalid.advice(vocabulary).isEmpty)
  }
}
