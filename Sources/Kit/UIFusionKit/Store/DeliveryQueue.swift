import Synchronization

/// The States that wait for delivery on the main actor, and their observers.
final class DeliveryQueue<State: Sendable>: Sendable {
  typealias Observer = @MainActor (Published<State>) -> Void

  private struct Contents {
    var waiting: [Published<State>] = []
    var observers: [(number: Int, observer: Observer)] = []
    var added = 0
  }

  private let contents = Mutex(Contents())

  /// Adds a State; returns whether it is the only one, so that the caller must schedule a delivery.
  func add(_ published: Published<State>) -> Bool {
    contents.withLock { contents in
      contents.waiting.append(published)
      return contents.waiting.count == 1
    }
  }

  /// Removes and returns the oldest State.
  func next() -> Published<State>? {
    contents.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
  }

  /// The numbers of the observers, in the order in which they were added.
  var numbers: [Int] { contents.withLock { $0.observers.map(\.number) } }

  /// Returns an observer by its number; nil once it has stopped.
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
