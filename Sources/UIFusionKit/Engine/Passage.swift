import Synchronization

/// Whom an engine asks before what it published has consequences.
///
/// A store stands behind it: nobody sees a State, and no effect starts, before the State is stored.
package protocol OutputGate: Sendable {
  /// The next State to be published comes with this running; called on the engine.
  func announce(running: [String])

  /// Calls back once everything that was published so far may be seen: at once, later on any thread,
  /// or never if that could not be stored. Then the engine has to be closed.
  func pass(_ body: @escaping @Sendable () -> Void)
}

/// What an engine has waiting at its gate.
final class Passage: Sendable {
  private struct Contents {
    var states = 0
    var passed: [Engine.Start] = []
  }

  /// How many States may wait: beyond that, turns do.
  private static let limit = 256

  private let gate: any OutputGate
  private let contents = Mutex(Contents())

  init(_ gate: any OutputGate) {
    self.gate = gate
  }

  var isFull: Bool { contents.withLock { $0.states >= Self.limit } }

  func announce(_ running: [String]) {
    gate.announce(running: running)
  }

  /// A State was published: it waits until the gate says.
  func published(by engine: Engine) {
    contents.withLock { $0.states += 1 }
    gate.pass { [weak engine, self] in
      let wasFull = contents.withLock { contents in
        contents.states -= 1
        return contents.states == Self.limit - 1
      }
      if wasFull { engine?.goOn() }
    }
  }

  /// Effects wait until what was published before them may be seen.
  func hold(_ starts: [Engine.Start], for engine: Engine) {
    gate.pass { [weak engine, self] in
      contents.withLock { $0.passed += starts }
      engine?.goOn()
    }
  }

  /// The effects that may start now.
  func passed() -> [Engine.Start] {
    contents.withLock { contents in
      defer { contents.passed = [] }
      return contents.passed
    }
  }
}

extension Engine {
  /// Signalled from a thread that has other things to do than to run turns.
  fileprivate nonisolated func goOn() {
    if queue.signal() { runInPool() }
  }
}
