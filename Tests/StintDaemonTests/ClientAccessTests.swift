import StintModel
import StintServices
import StintUnits
import Testing

@testable import StintDaemon

@Suite struct ClientAccessTests {
  /// The result of an attach: the permission word and the facts, or the cause of the refusal.
  private func attach(
    _ name: String, to apps: [SiteApp], user: UInt32? = 1000, isTrusted: Bool = false
  ) -> String {
    do throws(Problem) {
      let permission = try ClientAccess(apps).permission(
        for: ClientID(name), user: user, isTrusted: isTrusted, declared: ["hike.left", "hike.pause"])
      let facts = permission.facts.sorted().joined(separator: " ")
      return
        "\(permission.permissions.location.word)\(permission.mayBackground ? " background" : "") \(facts)"
    } catch {
      return error.cause
    }
  }

  @Test("on a site without apps, only a trusted user may attach, and gets all permissions")
  func withoutApps() {
    #expect(attach("any", to: [], isTrusted: true) == "always background hike.left hike.pause")
    #expect(attach("any", to: []) == "only root and the daemon's own user may attach")
    #expect(attach("any", to: [], user: nil) == "only root and the daemon's own user may attach")
  }

  @Test(
    "on a site with apps, an app's entry sets its permissions; only its user and trusted users may attach")
  func withApps() {
    let apps = [
      SiteApp(
        name: "trail", user: 1000, permissions: .whenInUse, mayBackground: false,
        facts: ["hike.left", "undeclared"]),
      SiteApp(name: "box"),
    ]
    #expect(attach("trail", to: apps) == "when_in_use hike.left")
    #expect(attach("trail", to: apps, user: 0, isTrusted: true) == "when_in_use hike.left")
    #expect(attach("trail", to: apps, user: 1001) == "“trail” is not the app of this user")
    #expect(attach("trail", to: apps, user: nil) == "“trail” is not the app of this user")
    #expect(attach("box", to: apps) == "“box” is not the app of this user")
    #expect(attach("box", to: apps, isTrusted: true) == "always background ")
    #expect(attach("other", to: apps, isTrusted: true) == "the site has no app “other”")
  }
}
