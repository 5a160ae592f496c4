import StintModel
import Testing

@testable import Transfers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Uploads to a server on loopback.
@Suite struct UploadTests {
  private let server: TestServer

  init() throws { server = try TestServer() }

  private func upload(_ bench: CarrierBench, _ file: String, _ path: String) -> TransferReport? {
    bench.run(CarrierBench.exchange("a", .upload(file: file, to: server.address(path))))
  }

  @Test(
    "an upload sends the whole file with the key of its task", arguments: [false, true], [0, 100, 3_000_000])
  func whole(usesPost: Bool, size: Int) throws {
    let bench = try CarrierBench { $0.usesPost = usesPost }
    bench.uploads.write(TestServer.content(size), to: "report")
    let report = upload(bench, bench.uploads.at("report"), "reports/1")
    #expect(report == .finished(file: nil), "\(bench.entries)")
    #expect(bench.replies == [201])
    #expect(
      server.requests == [
        "\(usesPost ? "POST" : "PUT") /reports/1 Idempotency-Key=\"app/sync/a\" Content-Length=\(size) "
          + "body=\(size) equal"
      ])
    #expect(bench.progress().last == (size == 0 ? nil : Int64(size)))
    #expect(bench.uploads.names == ["report"])
  }

  @Test("a redirect with status 307 sends the file again; a redirect with status 302 is refused")
  func redirects() throws {
    let bench = try CarrierBench()
    bench.uploads.write(TestServer.content(5000), to: "report")
    let report = upload(bench, bench.uploads.at("report"), "reports/1?status=307&to=/reports/2")
    #expect(report == .finished(file: nil), "\(bench.entries)")
    #expect(server.requests.last?.hasSuffix("body=5000 equal") == true)
    let refused = upload(bench, bench.uploads.at("report"), "reports/1?status=302&to=/reports/2")
    #expect(refused?.fault == "rejected: 127.0.0.1 answered with the status 302")
  }

  @Test("the report has the status of a server that refuses an upload before its end")
  func refused() throws {
    let bench = try CarrierBench()
    bench.uploads.write(TestServer.content(2_000_000), to: "report")
    let report = upload(bench, bench.uploads.at("report"), "reports/1?status=403")
    #expect(report?.fault == "rejected: 127.0.0.1 answered with the status 403", "\(bench.entries)")
  }

  @Test("a file that is missing or outside of the folder is not sent, and neither is a folder or a pipe")
  func files() throws {
    let bench = try CarrierBench()
    let folder = bench.uploads
    mkdir(folder.at("box"), 0o755)
    symlink("/etc", folder.at("link"))
    symlink("/etc/hostname", folder.at("name"))
    // This scalar and a following “/” are one character.
    symlink("/etc", folder.at("link\u{600}"))
    mkfifo(folder.at("fifo"), 0o644)
    defer { rmdir(folder.at("box")) }
    for path in [
      folder.at("none"), folder.at("box"), folder.at("link/hostname"), folder.at("name"), folder.at("fifo"),
      folder.at("link\u{600}/hostname"),
      "/etc/hostname", folder.path, folder.path + "/", folder.at("../etc/hostname"), folder.at("box//a"),
      folder.path + "x/a", "report", "",
    ] {
      let report = upload(bench, path, "reports/1")
      #expect(report?.fault?.hasPrefix("body-gone: ") == true, "\(path): \(String(describing: report))")
      #expect(report?.isTransient == false)
    }
    #expect(server.requests == [])
  }

  @Test("the folders of uploads and downloads may have names with any characters")
  func folderNames() throws {
    let folder = TestFolder()
    let path = folder.at("Ünïcode")
    mkdir(path, 0o755)
    defer { rmdir(path) }
    for name in ["1", "61"] { folder.write([1, 2, 3], to: "Ünïcode/" + name) }
    let upload = try Upload(path + "/1", under: path)
    #expect(upload.size == 3)
    upload.close()
    Spool(folder: path).discard(path + "/61")
    #expect(access(path + "/61", F_OK) != 0)
    Spool(folder: path).discard(path + "/1")
    #expect(access(path + "/1", F_OK) != 0)
  }

  @Test("bytes in the memory of a client are refused")
  func memory() throws {
    let bench = try CarrierBench()
    let report = bench.run(CarrierBench.exchange("a", .uploadFromMemory(to: server.address("a"))))
    #expect(report?.fault?.hasPrefix("body-gone: ") == true && report?.isTransient == false)
  }

  @Test("in the header of a key, letters, digits and some signs are kept, and all other bytes are escaped")
  func keys() {
    #expect(Attempt.escaped("app/sync_1.a-b") == "app/sync_1.a-b")
    #expect(Attempt.escaped("a b\"\r\nX: ü") == "a%20b%22%0D%0AX%3A%20%C3%BC")
  }
}
