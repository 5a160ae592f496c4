import StintFormats
import StintModel
public import StintUnits

/// Runs the conformance checks of a plugin by driving the plugin through its life cycle on a bench.
///
/// The phases of a sensor are: opened, idle, turned on, set to hold and drained (only with a FIFO), turned
/// off, turned on again, and closed while on. Other devices have fewer phases. The plugin must be new and
/// cannot be used afterwards. A sensor whose simulated world contains no data delivers no samples; then only
/// its other events are checked.
public enum PluginConformance {
  /// Checks a sensor, radio, processor or source.
  ///
  /// - Parameters:
  ///   - plugin: the device to check, not opened yet.
  ///   - start: the instant at which the plugin is opened; choose one within its simulated world.
  ///   - settle: the length of each phase; it must be long enough for the first sample of the device.
  public static func check(
    _ plugin: any DevicePlugin, at start: Instant, settle: TimeSpan = .minutes(2)
  ) async -> ConformanceReport {
    var judge = ConformanceJudge(manifest: plugin.manifest)
    let faults = plugin.manifest.faults()
    if let fault = faults.first {
      judge.fail(.manifest, "\(fault.path): \(fault.sentence)")
      return judge.report
    }
    for item in DeviceClassReader.classes(of: plugin.manifest) {
      for difference in item.differences(from: plugin.manifest) { judge.fail(.classed, difference) }
    }
    var bench = PluginBench(plugin, at: start)
    do {
      try await bench.open()
    } catch {
      judge.fail(.opens, error.description)
      return judge.report
    }
    await live(&bench, &judge, settle)
    await judge.close(&bench, settle)
    judge.checkEvents(bench)
    return judge.report
  }

  private static func live(
    _ bench: inout PluginBench, _ judge: inout ConformanceJudge, _ settle: TimeSpan
  ) async {
    await bench.advance(by: settle)
    judge.expectOff(bench, .offByDefault)
    switch bench.plugin.manifest.kind {
    case .sensor: await judge.sense(&bench, settle)
    case .radio: await judge.carry(&bench, settle)
    case .processor: await judge.process(&bench, settle)
    case .source: await judge.read(&bench)
    }
  }
}
