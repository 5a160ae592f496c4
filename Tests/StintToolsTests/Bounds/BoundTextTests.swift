import StintFormats
import StintLanguage
import StintModel
import StintSimulation
import StintUnits
import Testing

@testable import StintTools

@Suite("Text of bounds and requirements")
struct BoundTextTests {
  private func check(_ body: String, without missing: Set<String> = []) throws -> PolicyCheck {
    let manifests = try ReferencePhone.manifests().map { manifest in
      var manifest = manifest
      for fact in manifest.facts.indices where missing.contains(manifest.facts[fact].path) {
        manifest.facts[fact].fastest = nil
      }
      return manifest
    }
    let text = """
      policy "p"
      use location.gnss as gps
      \(body)
      """
    return PolicyCheck(
      [SourceText(file: "p.stint", text: text)], vocabulary: Vocabulary(manifests: manifests))
  }

  @Test(
    "the bound of a device follows from the number of times that rules turn the device on",
    arguments: [
      ("rule r always { start gps for \"map\" }", 1),
      // The bound counts the first wake-up, one wake-up for each of the six periods within an hour, and one
      // wake-up at the end of the hour.
      ("rule r every 10 min { fix gps to 50 m timeout 30 s }", 8),
      // With `flex`, two actions can be five minutes apart. The bound assumes this shortest gap for the whole
      // hour.
      ("rule r every 61 min flex 56 min { fix gps to 50 m timeout 30 s }", 14),
      // At most one stop begins per 30 minutes, and one stop may begin before the hour.
      ("rule r when screen.on at most 1 per 30 min { stop gps for 5 min }", 5),
      ("rule r while screen.on for 20 min { start gps for \"map\" }", 5),
      ("rule r while battery.level below 20 % release 25 % { start gps for \"map\" }", 33),
    ])
  func bounds(_ rule: String, _ most: Int) throws {
    let check = try check("default gps { linger 1 s }\n\(rule)")
    #expect(check.bounds.map(\.device) == ["location.gnss"])
    #expect(check.bounds.map(\.limit) == [.atMost(most)])
    let noun = most == 1 ? "wake-up" : "wake-ups"
    #expect(check.text().contains("\n  bound    location.gnss  \(most) \(noun) per h"))
    let assumption =
      "clients keep their demands and do not move between foreground and background, and devices stay present"
    #expect(check.text().contains("\n  assuming \(assumption)"))
    #expect(check.json["bounds"]?.items?.first?["assuming"]?.string == assumption)
    #expect(check.json["bounds"]?.items?.first?["device"]?.string == "location.gnss")
    #expect(check.json["bounds"]?.items?.first?["wakeups_per_hour"]?.integer == Int64(most))
  }

  @Test("when the wake-ups of a device have no bound, the reason names the missing field and its manifest")
  func unbounded() throws {
    let rule = "default gps { linger 0 s }\nrule r while screen.on { start gps for \"map\" }"
    let reason =
      "“fastest” of screen.on is missing in the manifest of host.app, and location.gnss has no “linger”"
    let check = try check(rule, without: ["screen.on"])
    #expect(check.text().contains("\n  bound    location.gnss  unbounded, because \(reason)"))
    #expect(check.json["bounds"]?.items?.first?["unbounded"]?.string == reason)
    // With `fastest`, the wake-ups have a bound; a `linger` has the same effect.
    #expect(try !self.check(rule).text().contains("unbounded"))
    let lingering = try self.check(
      "default gps { linger 5 s }\nrule r while screen.on { start gps for \"map\" }", without: ["screen.on"])
    #expect(!lingering.text().contains("unbounded"))
  }

  @Test("each requirement is reported as proved or watched, with the reason")
  func requirements() throws {
    let check = try check(
      """
      rule r while screen.on { stop gps }
      require gps.on implies demanded(gps)
      require battery.level > 3 %
      """)
    #expect(
      check.text().contains(
        """

          proved   gps.on implies demanded(gps)  location.gnss is on only for a demand, if location.gnss follows its setting
          watched  battery.level > 3 %           it depends only on facts and clients, not on the rules; counterexample: battery.level = 1.5 %
        """))
    let items = check.json["requirements"]?.items ?? []
    #expect(items.map { $0["verdict"]?.string } == ["proved", "watched"])
    #expect(items.first?["requirement"]?.string == "p/require-1")
    #expect(items.first?["text"]?.string == "gps.on implies demanded(gps)")
    #expect(items.first?["because"]?.string == "location.gnss is on only for a demand")
    #expect(items.first?["assuming"]?.string == "location.gnss follows its setting")
  }

  @Test("a violated requirement is an error with a counterexample")
  func broken() throws {
    let check = try check("require gps.on implies screen.on")
    #expect(check.hasErrors)
    let text = check.text()
    #expect(
      text.contains("error[P0603]: “gps.on implies screen.on” is required, and these policies break it"))
    #expect(text.contains("counterexample: screen.on = false, location.gnss demanded"))
  }
}
