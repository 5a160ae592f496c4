import StintModel
import StintSimulation

/// The phone that the policies of fuzzers are about: the shipped ones are sound for it.
enum Phone {
  static let vocabulary: Vocabulary = {
    do {
      return Vocabulary(manifests: try ReferencePhone.manifests())
    } catch {
      preconditionFailure("the manifests of the reference phone cannot be read: \(error)")
    }
  }()
}
