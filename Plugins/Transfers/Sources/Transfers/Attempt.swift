import CCurl
import StintModel
import StintUnits

/// One attempt of a task. It consists of one HTTP request, or of several consecutive requests because of
/// redirects and restarts.
///
/// Only one thread at a time may use it. libcurl calls the functions of `Attempt+Calls.swift` while the
/// engine runs the set of transfers.
final class Attempt {
  /// The consequence of the end of a request.
  enum Ending: Hashable {
    /// Send another request.
    case again
    /// The attempt is complete. `file` is the path of a downloaded file; nil for an upload.
    case finished(file: String?)
    case failed(CarrierFault)
  }

  /// The bytes that the attempt moves. Nil before `prepare()` and after the end.
  enum Body {
    case download(Download)
    case upload(Upload)
  }

  let exchange: TransferExchange
  let radio: DeviceID
  /// The interface to which the connections are bound; nil for any interface.
  let interface: String?
  let settings: CarrierSettings
  let spool: Spool
  private(set) var address: WebAddress
  private(set) var easy: OpaquePointer?
  private(set) var body: Body?
  private var redirects = 0
  private var restarts = 0

  // The state of the current request.

  var head = ResponseHead()
  /// The fault because of which the plugin ended the request; nil when libcurl ended the request.
  var fault: CarrierFault?
  /// True when the request was ended because the part on the disk cannot be continued.
  var mustRestart = false
  /// The number of body bytes of an answer that contains no file, such as a redirect.
  var ignoredBytes = 0
  var headerLines: OpaquePointer?
  let errorText: UnsafeMutablePointer<CChar>

  // The reports, and the check for slow transfers.

  /// The status that was not reported yet.
  var newStatus: Int?
  var reportedCount: Int64 = 0
  var reportedAt = Instant(nanoseconds: .min)
  var checkedCount: Int64 = 0
  var checkAt = Instant.distantFuture
  private var keptAt: Instant?

  /// The time after which the received bytes of a download are written to the disk. More writes would wake
  /// the disk more often; fewer writes would repeat more bytes after a crash of the machine.
  private static let keepStep = TimeSpan.seconds(30)
  /// The largest number of restarts from the first byte, against a server whose file changes all the time.
  private static let maxRestarts = 2
  /// The largest body of an answer that contains no file.
  static let maxIgnoredBytes = 1 << 20

  /// Makes an attempt, and checks that the plugin can perform its task.
  ///
  /// - Throws: a fault when the address is invalid or the kind of transfer is not supported.
  init(
    _ exchange: TransferExchange, on radio: DeviceID, over interface: String?,
    _ settings: CarrierSettings, _ spool: Spool
  ) throws(CarrierFault) {
    self.exchange = exchange
    self.radio = radio
    self.interface = interface
    self.settings = settings
    self.spool = spool
    switch exchange.request.kind {
    case .download(let address): self.address = try WebAddress(address)
    case .upload(_, let address): self.address = try WebAddress(address)
    case .uploadFromMemory: throw .body("bytes in the memory of a client cannot be sent")
    }
    // libcurl writes at most 256 bytes. The memory is allocated last: a class whose `init` throws has no
    // `deinit` that would free it.
    errorText = .allocate(capacity: 256)
    errorText.initialize(repeating: 0, count: 256)
  }

  deinit {
    release()
    errorText.deallocate()
  }

  /// The number of bytes of the whole task that were moved.
  var count: Int64 {
    switch body {
    case .download(let download): download.count
    case .upload(let upload): upload.count
    case nil: reportedCount
    }
  }

  /// Opens the files, and makes the transfer of libcurl for the next request.
  func prepare() throws(CarrierFault) -> OpaquePointer {
    if body == nil {
      switch exchange.request.kind {
      case .download(let address):
        body = .download(
          try Download(exchange.key, from: address, in: spool, largest: settings.largest))
      case .upload(let file, _): body = .upload(try Upload(file, under: settings.uploads))
      case .uploadFromMemory: throw .body("bytes in the memory of a client cannot be sent")
      }
    }
    head = ResponseHead()
    fault = nil
    mustRestart = false
    ignoredBytes = 0
    errorText.pointee = 0
    if case .upload(let upload)? = body { _ = upload.seek(to: 0) }
    guard let easy = easy ?? ccurl_easy_make() else { throw .setup("no memory is left", isTransient: true) }
    self.easy = easy
    try configure(easy)
    return easy
  }

  /// Handles the end of the current request.
  func end(with result: Int32) -> Ending {
    if mustRestart { return restart() }
    if let fault { return .failed(fault) }
    guard result == 0 else {
      let detail = CurlLibrary.text(errorText)
      return .failed(.result(result, detail, host: address.host, interface: interface))
    }
    guard head.isComplete else { return .failed(.connection("\(address.host) sent no HTTP answer")) }
    do throws(CarrierFault) {
      if isRedirect { return try follow() }
      guard (200...299).contains(head.status) else {
        return .failed(.status(head.status, from: address.host))
      }
      guard case .download(let download)? = body else { return .finished(file: nil) }
      return .finished(file: try download.finish(exchange.attempt))
    } catch { return .failed(error) }
  }

  private func restart() -> Ending {
    restarts += 1
    guard restarts <= Self.maxRestarts, case .download(let download)? = body else {
      return .failed(.server("\(address.host) sends ranges that do not fit its file"))
    }
    do throws(CarrierFault) { try download.restart() } catch { return .failed(error) }
    return .again
  }

  /// True when the answer redirects the request to a different address. An upload follows only the statuses
  /// that keep the method and the body.
  var isRedirect: Bool {
    switch (head.status, body) {
    case (307, _), (308, _): true
    case (301, .download), (302, .download), (303, .download): true
    default: false
    }
  }

  private func follow() throws(CarrierFault) -> Ending {
    guard let easy, let target = ccurl_info_text(easy, ccurl_info_redirect.number) else {
      throw .rejected("\(address.host) redirects without an address")
    }
    redirects += 1
    guard redirects <= settings.redirects else {
      let limit = settings.redirects == 1 ? "1 time" : "\(settings.redirects) times"
      throw .rejected("the server redirects more than \(limit)")
    }
    address = try address.redirect(to: String(cString: target))
    return .again
  }

  /// Writes the bytes of a download to the disk when the last such write was `keepStep` ago or longer.
  func keepOnDisk(at now: Instant) throws(CarrierFault) {
    guard case .download(let download)? = body else { return }
    guard let keptAt, now - keptAt >= Self.keepStep else {
      keptAt = keptAt ?? now
      return
    }
    self.keptAt = now
    try download.keepOnDisk()
  }

  /// Ends the attempt and keeps its part on the disk.
  func suspend() {
    if case .download(let download)? = body {
      reportedCount = download.count
      download.suspend()
    }
    release()
  }

  private func release() {
    if case .upload(let upload)? = body { upload.close() }
    body = nil
    if let easy { ccurl_easy_free(easy) }
    easy = nil
    if let headerLines { ccurl_list_free(headerLines) }
    headerLines = nil
  }
}
