import StintPluginKit
import StintUnits

/// An active buffer of the kernel, with the decoding of its bytes.
struct IIOStream: Sendable {
  let descriptor: Int32
  /// The number of this buffer, counted over all buffers that were turned on.
  var number = 0
  let layout: IIOScanLayout
  /// The actual time between two scans, read back from the device.
  let period: TimeSpan
  /// The actual number of scans per wake-up, read back from the kernel.
  let watermark: Int
  /// The requested values. They show whether a later request changes anything.
  let wanted: (period: TimeSpan, latency: TimeSpan)
  /// The bytes of an incomplete scan.
  private var rest: [UInt8] = []

  init(
    descriptor: Int32, layout: IIOScanLayout, period: TimeSpan, watermark: Int,
    wanted: (period: TimeSpan, latency: TimeSpan)
  ) {
    self.descriptor = descriptor
    self.layout = layout
    self.period = period
    self.watermark = watermark
    self.wanted = wanted
  }

  /// Appends bytes and returns the scans that they complete.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> [IIOScanLayout.Scan] {
    rest += bytes
    var scans: [IIOScanLayout.Scan] = []
    var start = 0
    while rest.count - start >= layout.size {
      scans.append(layout.scan(rest[start..<start + layout.size]))
      start += layout.size
    }
    rest.removeFirst(start)
    return scans
  }
}
