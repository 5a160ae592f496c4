import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import Transfers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Faults that need no server: settings, addresses, the library and the spool.
@Suite struct SetupTests {
  @Test(
    "a setting that cannot be used is refused, and the message does not repeat a password",
    arguments: [
      ("spool", "relative"), ("spool", "/a/../b"), ("uploads", ""), ("proxy", "http://u:secret@proxy"),
      ("proxy", "ftp://proxy"), ("interfaces", "wwan0"), ("interfaces", "radio.a=name-of-16-bytes"),
      ("interfaces", "radio.a=if/x"), ("interfaces", "=x"), ("credentials", "netrc"), ("ca_file", "/"),
    ])
  func settings(key: String, value: String) {
    do throws(Problem) {
      _ = try CarrierSettings([PluginSettingEntry(key, .text(value))])
      Issue.record("\(key)=\(value) was accepted")
    } catch {
      #expect(error.code == .unsupported && error.description.contains("“\(key)”"), "\(error)")
      #expect(!error.description.contains("secret") && !error.remedy.isEmpty)
    }
  }

  @Test("settings have the values of the site file")
  func values() throws {
    let settings = try CarrierSettings([
      PluginSettingEntry("spool", .text("/a//b/")), PluginSettingEntry("post", .flag(true)),
      PluginSettingEntry("interfaces", .text("radio.lan=*  radio.cellular=wwan0")),
      PluginSettingEntry("rate", .whole(1000)), PluginSettingEntry("slow_time", .span(.seconds(9))),
      PluginSettingEntry("connections", .whole(2)), PluginSettingEntry("proxy", .text("socks5h://p:1")),
    ])
    #expect(settings.spool == "/a/b" && settings.usesPost && settings.rate == 1000)
    #expect(settings.slowTime == .seconds(9) && settings.connections == 2)
    #expect(try settings.interface(for: "radio.lan") == nil)
    #expect(try settings.interface(for: "radio.cellular") == "wwan0")
    #expect(throws: Problem.self) { try CarrierSettings([PluginSettingEntry("rate", .whole(399))]) }
    #expect(try CarrierSettings([PluginSettingEntry("rate", .whole(400))]).rate == 400)
  }

  @Test(
    "a malformed address, or one with another scheme or credentials, fails permanently before any connection",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/a", "gopher://127.0.0.1/", "check-without-scheme", "http://", "",
      "http://127.0.0.1:99999/", "http://a b/", "http://user:secret@127.0.0.1/", "https://secret@127.0.0.1/",
      "http://[::1/", "http:/127.0.0.1/", "javascript:alert(1)", "http://127.0.0.1/\u{1}",
      "http://127.0.0.1/\u{0}a",
    ])
  func address(text: String) throws {
    let bench = try CarrierBench()
    let report = bench.download(text)
    #expect(report?.fault?.hasPrefix("address: ") == true, "\(bench.entries)")
    #expect(report?.isTransient == false)
    #expect(report?.fault?.contains("secret") == false)
    #expect(bench.loop.turns == 0)
  }

  @Test("a full disk is a permanent fault")
  func fullDisk() throws {
    let bench = try CarrierBench()
    // Writes to this device fail as on a full disk.
    let (key, spool) = ("app/sync/a", Spool(folder: bench.spool.path))
    let full = open("/dev/full", O_RDWR)
    defer { close(full) }
    do throws(CarrierFault) {
      try spool.write([1], to: full, at: 0)
      Issue.record("the write succeeded")
    } catch {
      #expect(error.reported.name == "disk-full: \(bench.spool.path) has no space left")
      #expect(!error.isTransient)
    }
    #expect(spool.record(of: key) == nil)
  }

  @Test("a file that is larger than the free space of the disk is refused before its first byte")
  func tooLittleSpace() throws {
    let folder = TestFolder()
    let spool = Spool(folder: folder.path)
    let (descriptor, _) = try spool.openPart(of: "a")
    defer { close(descriptor) }
    try spool.reserve(1, for: descriptor)
    try spool.reserve(-5, for: descriptor)
    do throws(CarrierFault) {
      try spool.reserve(.max, for: descriptor)
      Issue.record("the space was found")
    } catch {
      #expect(error.reported.name == "disk-full: \(folder.path) has no space left for \(Int64.max) bytes")
    }
  }

  @Test("without libcurl, the remedy names the package, and the cause names the library")
  func noLibrary() {
    do throws(Problem) {
      try CurlLibrary.load(["libcurl-of-no-system.so.4"])
      Issue.record("the library was found")
    } catch {
      #expect(error.code == .absent)
      #expect(error.description.contains("libcurl-of-no-system.so.4"), "\(error)")
      #expect(error.description.contains("package libcurl4"))
    }
  }

  @Test("without libcurl, the device is unavailable, ignores orders and closes")
  func unavailable() async throws {
    let loop = BenchLoop()
    let port = DevicePort(manifest: HTTPCarrier.embeddedManifest, on: loop)
    let carrier = HTTPCarrier(CarrierSettings(), libraries: ["libcurl-of-no-system.so.4"]) { .epoch }
    try await carrier.open(port, at: .epoch)
    await carrier.handle(.discard("/a"), at: .epoch)
    await carrier.close(at: .epoch)
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    #expect(events.count == 2)
    guard case .outcome(.fault(let text), _)? = events.first, case .available(false, _)? = events.last else {
      Issue.record("\(events)")
      return
    }
    #expect(text.contains("libcurl"))
  }

  @Test("with a missing spool folder, the device reports a fault when it opens")
  func missingSpool() async throws {
    var settings = CarrierSettings()
    settings.spool = "/nonexistent/spool"
    let loop = BenchLoop()
    let port = DevicePort(manifest: HTTPCarrier.embeddedManifest, on: loop)
    let carrier = HTTPCarrier(settings) { .epoch }
    try await carrier.open(port, at: .epoch)
    await carrier.close(at: .epoch)
    var events: [PortEvent] = []
    port.drainEvents(into: &events)
    #expect(
      events == [.outcome(.fault("the folder /nonexistent/spool does not exist"), at: .epoch)], "\(events)")
  }

  @Test("a program without an event loop cannot open the carrier")
  func noLoop() async {
    let carrier = HTTPCarrier(CarrierSettings()) { .epoch }
    await #expect(throws: Problem.self) {
      try await carrier.open(DevicePort(manifest: HTTPCarrier.embeddedManifest), at: .epoch)
    }
  }
}
