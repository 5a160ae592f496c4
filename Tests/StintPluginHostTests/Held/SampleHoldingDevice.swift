import StintModel
import StintPluginKit
import StintRuntime
import StintTestSupport
import StintUnits

@testable import StintPluginHost

/// A clock that is set by tests. A `LibraryPlugin` reads the current time from this clock.
final class TestClock: Sendable {
  private let instant: Locked<Instant>

  init(_ start: Instant) { instant = Locked(start) }

  var now: Instant {
    get { instant.withLock { $0 } }
    set { instant.withLock { $0 = newValue } }
  }
}

/// A sensor that holds samples, in one of the three forms of a plugin.
struct SampleHoldingDevice: Sendable {
  private enum Form: Sendable {
    case linked(InProcessHoldingSensor)
    case process(OutOfProcessHoldingSensor)
    case library(LibraryPlugin, CompiledLibrary)
  }

  private let form: Form
  private let loop: LoopExecutor
  let clock: TestClock

  /// Creates a device whose plugin has the given form.
  ///
  /// - Parameter isFailing: true for a library that violates the protocol when the host requests its
  ///   stored samples.
  init(
    _ hosting: HeldSampleMatrixTests.PluginHosting, on loop: LoopExecutor, failing isFailing: Bool,
    from start: Instant
  ) throws {
    self.loop = loop
    let clock = TestClock(start)
    self.clock = clock
    switch hosting {
    case .linked: form = .linked(InProcessHoldingSensor())
    case .process: form = .process(OutOfProcessHoldingSensor())
    case .library:
      let library = try CompiledLibrary(
        CompiledLibrary.holder, replacing: "case STINT_DRAIN:",
        by: isFailing
          ? "case STINT_DRAIN: say(device, STINT_OPENED, &answer); break; case 99:" : "case STINT_DRAIN:")
      let program = ChildProgram(
        name: "holder", manifest: HeldSampleBuffer.manifest, path: library.path, folder: library.folder.path)
      form = .library(LibraryPlugin(program, on: loop) { clock.now }, library)
    }
  }

  var plugin: any SensorPlugin {
    switch form {
    case .linked(let plugin): plugin
    case .process(let plugin): plugin
    case .library(let plugin, _): plugin
    }
  }

  /// Makes the plugin answer the last request to deliver its stored samples (`drain`). Returns when the port
  /// has received the answer.
  func answer(at instant: Instant) async {
    switch form {
    case .linked: break
    case .process(let plugin): await plugin.answer(at: instant)
    case .library:
      // The answers of a library are processed on the loop, in the order of their arrival.
      let isProcessed = AsyncEvent()
      _ = loop.call(after: .zero) { isProcessed.open() }
      await isProcessed.wait()
    }
  }

  /// Simulates a failure while samples are stored. A process crashes; a failing library violates the protocol
  /// when it is drained. The call has no effect on a linked plugin.
  func fail(at instant: Instant) async {
    switch form {
    case .linked: break
    case .process(let plugin): await plugin.crash(at: instant)
    case .library(let plugin, _): await plugin.drain(at: instant, reason: .flushed)
    }
  }
}
