import StintModel
import Testing

@testable import StintRuntime

@Suite("Calls whose function is set later")
struct LateCallTests {
  @Test("a call has no effect before its function is set and after its function is removed")
  func set() {
    let call = LateCall()
    let count = Locked(0)
    call()
    #expect(call.set { count.withLock { $0 += 1 } } == nil)
    call()
    #expect(call.set(nil) != nil)
    call()
    #expect(count.withLock { $0 } == 1)
  }

  @Test("after 100,000 calls, a call uses as much stack as the first call")
  func depth() {
    let call = LateCall()
    let place = Locked(0)
    call.set {
      var local = 0
      withUnsafePointer(to: &local) { pointer in place.withLock { $0 = Int(bitPattern: pointer) } }
    }
    func depth() -> Int {
      call()
      return place.withLock { $0 }
    }
    let first = depth()
    for _ in 0..<100_000 { call() }
    #expect(depth() == first)
  }
}
