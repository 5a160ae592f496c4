import StintModel
import Testing

/// Checks the general invariants of every phone after the test that opened it. The invariants are: no powered
/// time without a cause, and a balanced ledger.
struct CheckedPhones: SuiteTrait, TestTrait, TestScoping {
  /// The phones of one test.
  final class Register: Sendable {
    private let phones = Locked<[Phone]>([])

    var all: [Phone] { phones.withLock { $0 } }

    func add(_ phone: Phone) { phones.withLock { $0.append(phone) } }
  }

  /// The register of the running test; nil when no register is in use.
  @TaskLocal static var register: Register?

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let register = Register()
    try await Self.$register.withValue(register) { try await function() }
    for phone in register.all { await phone.expectInvariants(test.sourceLocation) }
  }
}

extension Trait where Self == CheckedPhones {
  static var checkedPhones: CheckedPhones { CheckedPhones() }
}
