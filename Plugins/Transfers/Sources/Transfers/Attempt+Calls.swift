import CCurl
import StintModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The calls of libcurl during a request. The calls do not wait for the network: they read and
/// write local files, and wait only for the disk.
extension Attempt {
  /// Makes libcurl call this attempt. The engine keeps the attempt until libcurl has released the transfer.
  func setCalls(_ easy: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = ccurl_set_transfer(easy, ccurl_option_header_function.number, headerArrived)
    _ = ccurl_set_pointer(easy, ccurl_option_header_data.number, context)
    _ = ccurl_set_transfer(easy, ccurl_option_write_function.number, bytesArrived)
    _ = ccurl_set_pointer(easy, ccurl_option_write_data.number, context)
    _ = ccurl_set_transfer(easy, ccurl_option_read_function.number, bytesAreWanted)
    _ = ccurl_set_pointer(easy, ccurl_option_read_data.number, context)
    _ = ccurl_set_seek(easy, bytesAreWantedAgain)
    _ = ccurl_set_pointer(easy, ccurl_option_seek_data.number, context)
    // The proxy's answer to CONNECT is not the answer of the server, so libcurl must not pass its header
    // lines.
    _ = ccurl_set_number(easy, ccurl_option_hide_proxy_headers.number, 1)
  }

  /// Processes a header line. Returns false to end the request.
  fileprivate func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
    guard head.take(line) else { return true }
    do throws(CarrierFault) { return try takeHead() } catch {
      fault = error
      return false
    }
  }

  private func takeHead() throws(CarrierFault) -> Bool {
    if isRedirect { return true }
    switch (head.status, body) {
    case (200...299, .download(let download)), (416, .download(let download)):
      guard try download.accept(head) == .body else {
        mustRestart = true
        return false
      }
    case (200...299, _): break
    default:
      newStatus = head.status
      throw .status(head.status, from: address.host)
    }
    newStatus = head.status
    return true
  }

  /// Processes bytes of the body. Returns false to end the request.
  func take(bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(CarrierFault) {
      // Older libraries pass an answer without a head (HTTP/0.9) as a body.
      guard head.isComplete else { throw .connection("\(address.host) sent no HTTP answer") }
      if case .download(let download)? = body, !isRedirect {
        try download.write(bytes)
      } else {
        ignoredBytes += bytes.count
        guard ignoredBytes <= Self.maxIgnoredBytes else {
          throw .rejected("\(address.host) sends a long answer where none is expected")
        }
      }
      return true
    } catch {
      fault = error
      return false
    }
  }

  /// Provides bytes of an upload. Returns nil to end the request.
  fileprivate func provide(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard case .upload(let upload)? = body else { return nil }
    do throws(CarrierFault) { return try upload.read(into: buffer) } catch {
      fault = error
      return nil
    }
  }

  fileprivate func seek(to offset: Int64) -> Bool {
    guard case .upload(let upload)? = body else { return false }
    return upload.seek(to: offset)
  }
}

private func attempt(_ context: UnsafeMutableRawPointer) -> Attempt {
  Unmanaged<Attempt>.fromOpaque(context).takeUnretainedValue()
}

private func headerArrived(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let line = UnsafeRawBufferPointer(start: bytes, count: size &* count)
  return attempt(context).take(headerLine: line) ? line.count : 0
}

private func bytesArrived(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let body = UnsafeRawBufferPointer(start: bytes, count: size &* count)
  // libcurl ends the request when the result is not the number of bytes. For an error, the result is the
  // number plus 1, because the number may be 0.
  return attempt(context).take(bytes: body) ? body.count : body.count &+ 1
}

private func bytesAreWanted(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return ccurl_abort_upload }
  let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size &* count)
  return attempt(context).provide(into: buffer) ?? ccurl_abort_upload
}

private func bytesAreWantedAgain(_ context: UnsafeMutableRawPointer?, _ offset: Int64, _ origin: Int32)
  -> Int32
{
  guard let context, origin == SEEK_SET else { return 1 }
  return attempt(context).seek(to: offset) ? 0 : 1
}
