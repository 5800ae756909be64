import Synchronization

/// The subscribers to a store's State.
///
/// Each subscriber gets every State once, in order and one at a time, from whichever thread publishes.
/// No lock is held during the calls.
final class StateSubscribers<State: Sendable>: Sendable {
  private struct Contents {
    var current: State?
    var subscribers: [Int: Subscriber] = [:]
    var added = 0
    var isClosed = false
  }

  private let contents = Mutex(Contents())

  /// The State that was published last; an engine publishes its first State while it is created.
  var current: State {
    contents.withLock { contents in
      guard let current = contents.current else {
        preconditionFailure("the engine has published no first State")
      }
      return current
    }
  }

  /// Adds a subscriber, and returns its number.
  ///
  /// - Parameter body: called with the current State before this returns, with each later State, and with
  ///   nil at the end.
  /// - Returns: the number of the subscriber.
  func add(_ body: @escaping @Sendable (State?) -> Void) -> Int {
    let subscriber = Subscriber(body)
    let number = contents.withLock { contents in
      contents.added += 1
      if let current = contents.current { subscriber.queue(current) }
      if contents.isClosed {
        subscriber.queue(nil)
      } else {
        contents.subscribers[contents.added] = subscriber
      }
      return contents.added
    }
    subscriber.deliver()
    return number
  }

  func remove(_ number: Int) {
    contents.withLock { _ = $0.subscribers.removeValue(forKey: number) }
  }

  func publish(_ state: State) {
    notify { contents in
      contents.current = state
      return state
    }
  }

  func close() {
    notify { contents in
      contents.isClosed = true
      return nil
    }
    contents.withLock { $0.subscribers = [:] }
  }

  private func notify(_ change: (inout Contents) -> State?) {
    let subscribers = contents.withLock { contents in
      let state = change(&contents)
      let subscribers = Array(contents.subscribers.values)
      for subscriber in subscribers { subscriber.queue(state) }
      return subscribers
    }
    for subscriber in subscribers { subscriber.deliver() }
  }

  /// A subscriber with its queue; the first thread to deliver also delivers the States that others queue in
  /// the meantime.
  private final class Subscriber: Sendable {
    private let waiting = Mutex<(states: [State?], isDelivering: Bool)>(([], false))
    private let body: @Sendable (State?) -> Void

    init(_ body: @escaping @Sendable (State?) -> Void) {
      self.body = body
    }

    func queue(_ state: State?) {
      waiting.withLock { $0.states.append(state) }
    }

    func deliver() {
      let isFirst = waiting.withLock { waiting in
        defer { waiting.isDelivering = true }
        return !waiting.isDelivering
      }
      guard isFirst else { return }
      while let state = next() { body(state) }
    }

    private func next() -> State?? {
      waiting.withLock { waiting in
        guard !waiting.states.isEmpty else {
          waiting.isDelivering = false
          return .none
        }
        return .some(waiting.states.removeFirst())
      }
    }
  }
}
