import StintPluginKit
import StintUnits

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A tree with one accelerometer, in the kernel's format for a small chip: 12 bits in 16, at 10 Hz.
final class SensorTree {
  static let folder = "sys/bus/iio/devices/iio:device0"
  let tree: AttributeTree
  /// The end of the pipe into which scans are written. It stays open, because without a writer the reader of
  /// the pipe would read the end of the file.
  private var node: Int32?

  init(type: String = "le:s12/16>>4", hasWatermark: Bool = true) throws {
    tree = try AttributeTree()
    let files: [(String, String)] = [
      ("name", "chip_accel"), ("in_accel_scale", "0.01"), ("in_accel_offset", "0"), ("in_accel_x_raw", "10"),
      ("in_accel_y_raw", "-20"), ("in_accel_z_raw", "980"), ("sampling_frequency", "10.000000"),
      ("sampling_frequency_available", "10 20 50 100"), ("buffer/enable", "0"), ("buffer/length", "2"),
      ("scan_elements/in_accel_x_en", "0"), ("scan_elements/in_accel_y_en", "0"),
      ("scan_elements/in_accel_z_en", "0"), ("scan_elements/in_timestamp_en", "0"),
      ("scan_elements/in_accel_x_index", "0"), ("scan_elements/in_accel_y_index", "1"),
      ("scan_elements/in_accel_z_index", "2"), ("scan_elements/in_timestamp_index", "3"),
      ("scan_elements/in_accel_x_type", type), ("scan_elements/in_accel_y_type", type),
      ("scan_elements/in_accel_z_type", type), ("scan_elements/in_timestamp_type", "le:s64/64>>0"),
    ]
    for (path, text) in files { try set(path, text) }
    if hasWatermark { try set("buffer/watermark", "1") }
    try tree.makePipe("dev/iio:device0")
  }

  func set(_ path: String, _ text: String) throws { try tree.set(Self.folder + "/" + path, text) }

  func text(_ path: String) -> String { tree.text(Self.folder + "/" + path) }

  func remove(_ path: String) { tree.remove(Self.folder + "/" + path) }

  /// Writes scans into the node, as the kernel does.
  func push(_ scans: [UInt8]) throws {
    let descriptor = try node ?? tree.openPipe("dev/iio:device0")
    node = descriptor
    let count = scans.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count == scans.count else { throw Problem(.refused, cause: "the pipe is full") }
  }

  /// Closes the node, so that its reader reads the end of the file.
  func hangUp() {
    if let node { DescriptorCalls.close(node) }
    node = nil
  }

  deinit { hangUp() }
}
