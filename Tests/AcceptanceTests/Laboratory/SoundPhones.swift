import StintModel
import Testing

/// Holds every phone that a test opened to what always holds once the test is over: no powered time without a cause,
/// and sums that are equal.
struct SoundPhones: SuiteTrait, TestTrait, TestScoping {
  /// The phones of one test.
  final class Register: Sendable {
    private let phones = Locked<[Phone]>([])

    var all: [Phone] { phones.withLock { $0 } }

    func add(_ phone: Phone) { phones.withLock { $0.append(phone) } }
  }

  /// Where phones of the test that runs enter themselves; nil where nobody asks for it.
  @TaskLocal static var register: Register?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let register = Register()
    try await Self.$register.withValue(register) { try await function() }
    for phone in register.all { await phone.expectSound(test.sourceLocation) }
  }
}

extension Trait where Self == SoundPhones {
  /// See `SoundPhones`.
  static var soundPhones: SoundPhones { SoundPhones() }
}
