import FusionHTTPMessages
import FusionSessionAPI
import Synchronization
import Testing

final class `A gate at the start`: Sendable {
  private let gate = StartGate()
  private let passed = Mutex<[String]>([])

  private func pass(_ name: String, bytes: Int = 0) {
    gate.pass(bytes) { [self] problem in
      passed.withLock { $0.append("\(name) \(problem?.name ?? "goes on")") }
    }
  }

  @Test func `holds requests until it opens, in order, and none from then on`() {
    pass("a")
    pass("b")
    #expect(passed.withLock(\.self) == [])
    gate.open()
    #expect(gate.isOpen)
    pass("c")
    #expect(passed.withLock(\.self) == ["a goes on", "b goes on", "c goes on"])
  }

  @Test func `refuses those that wait, and holds later ones`() {
    pass("a")
    gate.refuse()
    pass("b")
    #expect(passed.withLock(\.self) == ["a starting"])
    gate.open()
    #expect(passed.withLock(\.self).last == "b goes on")
  }

  @Test func `holds the program's calls, which it refuses only once it is closed`() {
    gate.passCall { [self] problem in
      passed.withLock { $0.append("call \(problem?.name ?? "goes on")") }
    }
    gate.refuse()
    #expect(passed.withLock(\.self) == [])
    gate.close()
    #expect(passed.withLock(\.self) == ["call draining"])
  }

  @Test func `refuses all that wait and come once it is closed`() {
    pass("a")
    gate.close()
    pass("b")
    gate.refuse()
    #expect(passed.withLock(\.self) == ["a draining", "b draining"])
  }

  @Test func `holds 16 MB of bodies at the most, again and again`() {
    for _ in 1...2 {
      pass("large", bytes: 10 << 20)
      pass("another", bytes: 6 << 20)
      pass("late", bytes: 1)
      #expect(passed.withLock(\.self).last == "late starting")
      gate.refuse()
    }
    #expect(passed.withLock(\.self).count == 6)
  }

  @Test func `holds 1,000 requests at the most`() {
    for _ in 0..<1_000 { pass("early") }
    pass("late")
    #expect(passed.withLock(\.self) == ["late starting"])
  }
}
