import Synchronization

/// States on their way to the main actor, and who observes them there.
final class Deliveries<State: Sendable>: Sendable {
  typealias Observer = @MainActor (Published<State>) -> Void

  private struct Contents {
    var waiting: [Published<State>] = []
    var observers: [(number: Int, observer: Observer)] = []
    var added = 0
  }

  private let contents = Mutex(Contents())

  /// Adds a State; true where none waited, so that somebody has to deliver.
  func add(_ published: Published<State>) -> Bool {
    contents.withLock { contents in
      contents.waiting.append(published)
      return contents.waiting.count == 1
    }
  }

  /// The State that has waited longest; it is not given again.
  func next() -> Published<State>? {
    contents.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
  }

  /// Who observes, in the order in which they came.
  var numbers: [Int] { contents.withLock { $0.observers.map(\.number) } }

  /// Nil where it does not observe any more.
  func observer(_ number: Int) -> Observer? {
    contents.withLock { $0.observers.first { $0.number == number }?.observer }
  }

  func observe(_ observer: @escaping Observer) -> StoreObservation {
    let number = contents.withLock { contents in
      contents.added += 1
      contents.observers.append((contents.added, observer))
      return contents.added
    }
    return StoreObservation { [weak self] in
      self?.contents.withLock { contents in
        contents.observers.removeAll { $0.number == number }
      }
    }
  }
}
