import StintModel
import StintPluginKit
import StintUnits
import Testing

@testable import Transfers

/// Encryption, credentials, proxies and redirects.
@Suite struct SecurityTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  /// Returns whether the server has a certificate, which openssl makes. Reports a missing certificate as an
  /// issue of the test.
  private var hasCertificate: Bool {
    if server.ports.https == nil { Issue.record("openssl is missing (package openssl)") }
    return server.ports.https != nil
  }

  @Test("a server with an unknown certificate is refused permanently, and accepted with “ca_file”")
  func certificate() throws {
    guard hasCertificate else { return }
    let bench = try CarrierBench()
    let report = bench.download(server.secureAddress("data/5000"))
    #expect(report?.fault?.hasPrefix("untrusted: the certificate of 127.0.0.1 is not valid") == true)
    #expect(report?.isTransient == false)
    #expect(server.requests == [])
    let trusting = try CarrierBench { $0.caFile = server.folder.at("certificate") }
    #expect(trusting.download(server.secureAddress("data/5000"))?.content == TestServer.content(5000))
    let missing = try CarrierBench { $0.caFile = "/nonexistent/file" }
    let unset = missing.download(server.secureAddress("data/5000"))
    #expect(unset?.fault?.hasPrefix("setup: ") == true, "\(missing.entries)")
  }

  @Test("a certificate for another name is refused although its signature is trusted")
  func otherName() throws {
    guard hasCertificate else { return }
    let bench = try CarrierBench { $0.caFile = server.folder.at("certificate") }
    let report = bench.download("https://127.0.0.2:\(server.ports.other ?? 0)/data/10")
    #expect(
      report?.fault?.hasPrefix("untrusted: the certificate of 127.0.0.2 is not valid") == true,
      "\(bench.entries)")
    #expect(report?.isTransient == false)
    #expect(server.requests == [])
  }

  @Test("requests to a server with HTTP/2 use HTTP/2")
  func http2() throws {
    guard hasCertificate else { return }
    let bench = try CarrierBench { $0.caFile = server.folder.at("certificate") }
    guard CurlLibrary.description.hasSuffix("with HTTP/2") else { return }
    let report = bench.download("https://127.0.0.1:\(server.ports.http2 ?? 0)/data/60000")
    #expect(report?.content == TestServer.content(60_000), "\(bench.entries)")
    #expect(server.requests == ["protocol h2", "HTTP/2 request"])
  }

  @Test("credentials of the netrc file are sent only over HTTPS, and only to the host of their entry")
  func credentials() throws {
    guard hasCertificate else { return }
    let secrets = TestFolder()
    secrets.write(Array("machine 127.0.0.1 login anna password p4ss\n".utf8), to: "netrc")
    let bench = try CarrierBench {
      $0.caFile = server.folder.at("certificate")
      $0.credentials = secrets.at("netrc")
    }
    let path = "data/5000?credentials=anna:p4ss"
    #expect(
      bench.download(server.secureAddress(path))?.content == TestServer.content(5000), "\(bench.entries)")
    let plain = bench.download(server.address(path), task: "b")
    #expect(
      plain?.fault == "credentials: 127.0.0.1 answered with the status 401" && plain?.isTransient == true)
    let other = bench.download("https://localhost:\(server.ports.https ?? 0)/" + path, task: "c")
    #expect(other?.fault == "credentials: localhost answered with the status 401", "\(bench.entries)")
    #expect(server.requests.filter { $0.contains("Authorization") }.count == 1)
    #expect(!bench.entries.contains { "\($0)".contains("p4ss") })
  }

  @Test("redirects are followed up to the limit in the settings")
  func redirects() throws {
    let bench = try CarrierBench { $0.redirects = 1 }
    for status in [301, 302, 303, 307, 308] {
      let report = bench.download(server.address("x?status=\(status)&to=/data/\(status)"), task: "t\(status)")
      #expect(report?.content == TestServer.content(status), "\(bench.entries)")
    }
    let twice = bench.download(server.address("x?to=/y%3Fto=/data/10"))
    #expect(twice?.fault == "rejected: the server redirects more than 1 time")
    #expect(bench.replies == [200, 200, 200, 200, 200])
  }

  @Test(
    "a redirect to another scheme, to an address with credentials, or to no host is refused",
    arguments: ["file:///etc/passwd", "ftp://127.0.0.1/a", "http://a:secret@127.0.0.1/", "http:///"])
  func badRedirects(target: String) throws {
    let bench = try CarrierBench()
    let report = bench.download(server.address("x?to=\(target)"))
    #expect(report?.fault?.hasPrefix("rejected: 127.0.0.1 redirects") == true, "\(bench.entries)")
    #expect(report?.fault?.contains("secret") == false)
    #expect(server.requests.count == 1)
  }

  @Test("a redirect from https to http is refused")
  func downgrade() throws {
    guard hasCertificate else { return }
    let bench = try CarrierBench { $0.caFile = server.folder.at("certificate") }
    let report = bench.download(server.secureAddress("x?to=\(server.address("data/10"))"))
    #expect(
      report?.fault == "rejected: 127.0.0.1 redirects from https to http, which would drop the encryption")
    #expect(server.requests.count == 1)
    let upgrade = bench.download(server.address("x?to=\(server.secureAddress("data/10"))"), task: "b")
    #expect(upgrade?.content == TestServer.content(10))
  }

  @Test("requests go to the proxy, with the credentials from the proxy's file")
  func proxy() throws {
    let secrets = TestFolder()
    secrets.write(Array("a:b\n".utf8), to: "proxy")
    let bench = try CarrierBench {
      $0.proxy = "http://127.0.0.1:\(server.ports.proxy)"
      $0.proxyCredentials = secrets.at("proxy")
    }
    #expect(bench.download("http://files.example/secret/5000")?.content == TestServer.content(5000))
    #expect(server.requests.last?.hasPrefix("GET http://files.example/secret/5000 ") == true)
    let plain = try CarrierBench { $0.proxy = "http://127.0.0.1:\(server.ports.proxy)" }
    let report = plain.download("http://files.example/secret/5000")
    #expect(report?.fault == "credentials: files.example answered with the status 407")
    let missing = try CarrierBench {
      $0.proxy = "http://127.0.0.1:\(server.ports.proxy)"
      $0.proxyCredentials = "/nonexistent/file"
    }
    #expect(missing.download("http://files.example/1")?.fault?.hasPrefix("setup: ") == true)
  }
}
