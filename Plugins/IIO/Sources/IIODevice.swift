import StintPluginKit
import StintUnits

/// A device of the Linux industrial I/O subsystem. Its description is read once, when the device is found.
struct IIODevice: Sendable {
  let kind: IIOSensorKind
  /// The device's folder in sysfs.
  let folder: AttributeFolder
  /// The name of the folder and of the device node, such as `iio:device0`.
  let name: String
  /// The name that the driver gives to the device; empty when the driver gives no name.
  let label: String
  /// The path of the device node.
  let node: String
  /// The scale of each axis: a value is (raw + offset) · scale, in the manifest's unit.
  let scales: [Double]
  let offsets: [Double]
  /// The file that sets the rate; nil when a trigger determines the rate.
  let frequencyFile: String?
  let frequency: IIOFrequency
  /// How long the kernel keeps the sensor on after a read or a stream. Zero when the kernel does not specify
  /// a time.
  let release: TimeSpan

  /// Finds the device of the settings.
  ///
  /// - Throws: a fault in these cases: no device fits the settings; the named device is not a sensor of this
  ///   kind; the scale or offset of the device cannot be read.
  static func find(_ settings: IIOSettings) throws(IIOFault) -> IIODevice {
    let base = AttributeFolder(settings.devicesPath)
    let kind = settings.kind
    let names = base.names.filter { $0.hasPrefix("iio:device") }
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    guard !names.isEmpty else {
      throw IIOFault("there is no device in \(base.path); load its driver")
    }
    guard let wanted = settings.device else {
      guard let name = names.first(where: { isSensor(kind, in: base.folder($0)) }) else {
        throw IIOFault("no device in \(base.path) is \(kind.withArticle): \(list(names, in: base))")
      }
      return try IIODevice(kind, base.folder(name), name: name, dev: settings.dev)
    }
    // When no device has the wanted name, another folder may have this name, such as the folder of a trigger.
    // The error then reports that this folder is not a sensor.
    let mine = names.first { $0 == wanted || label(of: base.folder($0)) == wanted }
    guard let name = mine ?? (base.has(wanted) ? wanted : nil) else {
      throw IIOFault("no device in \(base.path) is “\(wanted)”: \(list(names, in: base))")
    }
    guard isSensor(kind, in: base.folder(name)) else {
      let label = label(of: base.folder(name))
      throw IIOFault(
        "\(base.path)/\(name)\(label.isEmpty ? "" : " (\(label))") is not \(kind.withArticle): "
          + "it has no \(kind.axes[0])_raw and no scan_elements/\(kind.axes[0])_en")
    }
    return try IIODevice(kind, base.folder(name), name: name, dev: settings.dev)
  }

  private init(
    _ kind: IIOSensorKind, _ folder: AttributeFolder, name: String, dev: String
  ) throws(IIOFault) {
    self.kind = kind
    self.folder = folder
    self.name = name
    label = Self.label(of: folder)
    node = dev + "/" + name
    let channel = "in_\(kind.channel)"
    var scales: [Double] = []
    var offsets: [Double] = []
    for axis in kind.axes {
      let scale = folder.has(axis + "_scale") ? axis + "_scale" : channel + "_scale"
      scales.append(try folder.readNumber(scale) * kind.unit)
      let offset = [axis + "_offset", channel + "_offset"].first { folder.has($0) }
      if let offset { offsets.append(try folder.readNumber(offset)) } else { offsets.append(0) }
    }
    self.scales = scales
    self.offsets = offsets
    let files = [channel + "_sampling_frequency", "sampling_frequency"]
    frequencyFile = files.first { folder.has($0) }
    if let list = files.map({ $0 + "_available" }).first(where: { folder.has($0) }) {
      frequency = IIOFrequency(try folder.readText(list))
    } else {
      frequency = .any
    }
    release = Self.release(of: folder)
  }

  /// Returns the current rate in hertz; nil when the device does not report it.
  ///
  /// - Throws: a fault when the rate cannot be read or is not greater than zero.
  func rate() throws(IIOFault) -> Double? {
    guard let frequencyFile else { return nil }
    let hertz = try folder.readNumber(frequencyFile)
    guard hertz > 0 else { throw IIOFault("\(folder.path)/\(frequencyFile) is \(hertz) Hz") }
    return hertz
  }

  /// Reads one value of each axis.
  func read() throws(IIOFault) -> SIMD3<Double> {
    var values = SIMD3<Double>()
    for (place, axis) in kind.axes.enumerated() {
      values[place] = (try folder.readNumber(axis + "_raw") + offsets[place]) * scales[place]
    }
    return values
  }

  /// Converts the raw numbers of a scan to the manifest's unit.
  func values(of raw: [Int64]) -> SIMD3<Double> {
    var values = SIMD3<Double>()
    for place in 0..<3 { values[place] = (Double(raw[place]) + offsets[place]) * scales[place] }
    return values
  }

  private static func isSensor(_ kind: IIOSensorKind, in folder: AttributeFolder) -> Bool {
    folder.has(kind.axes[0] + "_raw") || folder.has("scan_elements/\(kind.axes[0])_en")
  }

  private static func label(of folder: AttributeFolder) -> String {
    do throws(Problem) { return AttributeFolder.excerpt(try folder.text("name")) } catch { return "" }
  }

  private static func list(_ names: [String], in base: AttributeFolder) -> String {
    names.map { name in
      let label = label(of: base.folder(name))
      return label.isEmpty ? name : "\(name) (\(label))"
    }.joined(separator: ", ")
  }

  /// Returns the suspend delay of the parent device, because the kernel suspends the parent. Zero when there
  /// is no valid delay.
  private static func release(of folder: AttributeFolder) -> TimeSpan {
    do throws(Problem) {
      let milliseconds = try folder.number("../power/autosuspend_delay_ms")
      guard milliseconds > 0, milliseconds < 3_600_000 else { return .zero }
      return TimeSpan(nanoseconds: Int64(milliseconds * 1_000_000))
    } catch {
      return .zero
    }
  }
}
