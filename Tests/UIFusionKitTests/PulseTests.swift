import Foundation
import Testing
import UIFusionKit

struct `A pulse` {
  private struct State: Equatable {
    @Pulse var message: String?
    var other = 0
  }

  @Test func `counts assignments, of equal values too`() {
    var state = State()
    #expect(state.$message.pulse == 0)
    state.message = "Hello"
    state.message = "Hello"
    #expect(state.message == "Hello")
    #expect(state.$message.pulse == 2)
  }

  @Test func `makes State differ when an equal value is assigned`() {
    var state = State()
    state.message = "Hello"
    let before = state
    state.message = "Hello"
    #expect(state != before)
  }

  @Test func `counts an event without a value`() {
    var state = State()
    state.$message.fire()
    #expect(state.message == nil)
    #expect(state.$message.pulse == 1)
  }

  @Test func `is part of the fingerprint of the State being encoded, and of no other`() throws {
    struct Shown: Encodable {
      @Pulse var message = ""
      @Pulse var other = ""
    }
    func fingerprint(_ state: some Encodable) throws -> UInt64 {
      let (_, fingerprint) = try PulseCounts.of { _ in try JSONEncoder().encode(state) }
      return fingerprint
    }
    var state = Shown()
    let first = try fingerprint(state)
    #expect(try fingerprint(state) == first)
    state.message = ""
    let second = try fingerprint(state)
    state = Shown()
    state.other = ""
    #expect(try Set([first, second, fingerprint(state)]).count == 3)
    #expect(try fingerprint([1]) == 0)
    let outer = try PulseCounts.of { _ in try fingerprint(state) }
    #expect(outer.fingerprint == 0)
    let again = try PulseCounts.of { restart in
      _ = try JSONEncoder().encode(Shown())
      restart()
      return try JSONEncoder().encode(state)
    }
    #expect(try again.fingerprint == fingerprint(state))
  }

  @Test func `has value semantics`() {
    var state = State()
    let copy = state
    state.message = "Hello"
    #expect(copy == State())
  }
}
