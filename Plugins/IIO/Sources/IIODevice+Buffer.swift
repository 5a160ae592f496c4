import StintPluginKit
import StintUnits

extension IIODevice {
  /// True when the rate of the device can be set and the kernel can buffer scans.
  var hasBuffer: Bool {
    frequencyFile != nil && folder.has("buffer/enable") && folder.has("scan_elements/\(kind.axes[0])_en")
  }

  /// Sets the rate and reads it back.
  ///
  /// - Returns: the actual rate in hertz, and an error message when the device rejected the requested rate.
  func setRate(_ hertz: Double) throws(IIOFault) -> (hertz: Double, refusal: String?) {
    guard let frequencyFile else { throw IIOFault("\(folder.path) has no sampling_frequency") }
    let text = frequency.text(for: hertz)
    var refusal: String?
    do throws(Problem) {
      try folder.write(text, to: frequencyFile)
    } catch {
      refusal = "\(error.place) refuses \(text) Hz: \(error.cause)"
    }
    guard let actual = try rate() else { throw IIOFault("\(folder.path)/\(frequencyFile) is empty") }
    return (actual, refusal)
  }

  /// Turns the buffer on, with the axes and the timestamp in each scan.
  ///
  /// The buffer is off after an error, unless it cannot be turned off. `tell` receives a message when the
  /// device rejects the rate, because the buffer then starts at the device's present rate.
  func startStream(
    every period: TimeSpan, latency: TimeSpan, trigger: String?, tell: (String) -> Void
  ) throws(IIOFault) -> IIOStream {
    try stopStream()
    if let trigger { try folder.put(trigger, into: "trigger/current_trigger") }
    let layout = try enableElements()
    let rate = try setRate(Self.hertz(of: period))
    if let refusal = rate.refusal { tell("\(refusal); it stays at \(IIOFrequency.decimal(rate.hertz)) Hz") }
    let watermark = try setWatermark(Int(min(rate.hertz * latency.seconds, 100_000)))
    let descriptor: Int32
    do throws(Problem) {
      descriptor = try DescriptorCalls.open(reading: node)
    } catch {
      throw IIOFault(error.description)
    }
    do throws(IIOFault) {
      try folder.put("1", into: "buffer/enable")
      guard try folder.readText("buffer/enable") == "1" else {
        throw IIOFault("\(folder.path)/buffer/enable stays 0")
      }
    } catch {
      DescriptorCalls.close(descriptor)
      // The buffer could not be turned on, so an error here does not matter.
      do throws(IIOFault) { try stopStream() } catch {}
      throw error
    }
    let actualPeriod = TimeSpan(nanoseconds: Int64((1_000_000_000 / max(rate.hertz, 1e-6)).rounded()))
    return IIOStream(
      descriptor: descriptor, layout: layout, period: actualPeriod, watermark: watermark,
      wanted: (period, latency))
  }

  /// Turns the buffer off and checks this by reading it back. Does nothing without a buffer.
  func stopStream() throws(IIOFault) {
    guard folder.has("buffer/enable") else { return }
    try folder.put("0", into: "buffer/enable")
    let text = try folder.readText("buffer/enable")
    guard text == "0" else {
      throw IIOFault("\(folder.path)/buffer/enable is \(AttributeFolder.excerpt(text)) after 0 was written")
    }
  }

  /// True when the buffer is on without a reader, because a program ended without turning the buffer off.
  var isLeftOn: Bool {
    do throws(Problem) {
      guard folder.has("buffer/enable"), try folder.text("buffer/enable") == "1" else { return false }
    } catch {
      return false
    }
    // Only one program at a time can open the node, so a success means that there is no reader.
    do throws(Problem) {
      DescriptorCalls.close(try DescriptorCalls.open(reading: node))
      return true
    } catch {
      return false
    }
  }

  static func hertz(of period: TimeSpan) -> Double {
    1_000_000_000 / Double(max(period.nanoseconds, 1))
  }

  /// Enables the axes and the timestamp, and returns the layout of the elements that are really enabled.
  private func enableElements() throws(IIOFault) -> IIOScanLayout {
    let scans = folder.folder("scan_elements")
    var elements: [IIOScanElement] = []
    for file in scans.names where file.hasSuffix("_en") {
      let name = String(file.dropLast("_en".count))
      let isWanted = kind.axes.contains(name) || name == "in_timestamp"
      let wanted = isWanted ? "1" : "0"
      if try scans.readText(file) != wanted { try scans.put(wanted, into: file) }
      // Some drivers have scans whose elements cannot be disabled.
      guard try scans.readText(file) == "1" else { continue }
      let index = try scans.readNumber(name + "_index")
      let text = try scans.readText(name + "_type")
      let type: IIOScanType
      do throws(IIOFault) { type = try IIOScanType(text) } catch {
        throw IIOFault("\(scans.path)/\(name)_type: \(error.sentence)")
      }
      elements.append(IIOScanElement(name: name, index: Int(min(max(index, 0), 10_000)), type: type))
    }
    do throws(IIOFault) {
      return try IIOScanLayout(elements, axes: kind.axes)
    } catch {
      throw IIOFault("\(scans.path): \(error.sentence)")
    }
  }

  /// Sets and returns the number of scans that the kernel gathers before it wakes the reader. Without a
  /// watermark file, each scan wakes the reader.
  private func setWatermark(_ scans: Int) throws(IIOFault) -> Int {
    let wanted = max(scans, 1)
    if folder.has("buffer/length") { try folder.put("\(max(wanted * 2, 16))", into: "buffer/length") }
    guard folder.has("buffer/watermark") else { return 1 }
    try folder.put("\(wanted)", into: "buffer/watermark")
    return max(Int(min(try folder.readNumber("buffer/watermark"), 1_000_000)), 1)
  }
}
