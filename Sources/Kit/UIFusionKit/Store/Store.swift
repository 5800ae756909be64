import Synchronization

/// A view model in process: what SwiftUI and UIKit bind to, any Swift program has here.
///
/// A store owns its view model. When the store goes, so does the view model, with all that it is doing.
///
/// ```swift
/// let store = Store { CounterViewModel(time: $0.time) }
/// let observation = store.observe(\.value) { print($0) }
/// await store.send(.increase).settled()
/// ```
public final class Store<Model: ViewModel>: Sendable {
  private let engine: Engine
  private let followers: Followers<Published<Model.State>>

  /// Creates the view model, and hands it what it is given from outside.
  public init(
    _ dependencies: Dependencies = Dependencies(),
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    let followers = Followers<Published<Model.State>>()
    self.followers = followers
    engine = try Engine(
      dependencies,
      published: { (state: Model.State, _) in followers.publish(Published(state: state)) },
      { try make(dependencies) }
    )
    engine.prepare(.started)
    engine.resume()
  }

  deinit {
    close()
  }

  /// The State as it was published last.
  public var state: Model.State { published.state }

  var published: Published<Model.State> { followers.current }

  /// Every State from now on, beginning with the current one; ends when the store closes.
  public var states: AsyncStream<Model.State> {
    AsyncStream { continuation in
      let follower = followers.add { published in
        if let published {
          continuation.yield(published.state)
        } else {
          continuation.finish()
        }
      }
      continuation.onTermination = { [followers] _ in followers.remove(follower) }
    }
  }

  /// Sends Inputs; they are processed back to back, after what was sent before.
  @discardableResult
  public func send(_ inputs: Model.Input...) -> Sending {
    send(inputs)
  }

  func send(_ inputs: [Model.Input]) -> Sending {
    Sending(inputs, to: engine)
  }

  /// Cancels what the view model is doing, and lets go of it.
  public func close() {
    engine.close()
    followers.close()
  }

  // MARK: Observing

  /// Calls a function with every State, beginning with the current one, one after another.
  ///
  /// Within it, `state.$member.updated { }` tells the assignments of a ``Pulse``. It goes on until
  /// what is returned is let go of.
  public func state(_ body: @escaping @Sendable (Model.State) -> Void) -> StoreObservation {
    let before = Mutex<UInt64?>(nil)
    return follow { published in
      let horizon = before.withLock { before in
        defer { before = published.time }
        return before ?? published.time
      }
      PulseClock.$horizon.withValue(horizon) { body(published.state) }
    }
  }

  /// Calls a function with a member of the State: at first, and then whenever it has changed.
  public func observe<Member: Equatable & Sendable>(
    _ member: any KeyPath<Model.State, Member> & Sendable,
    _ body: @escaping @Sendable (Member) -> Void
  ) -> StoreObservation {
    let last = Mutex<Member?>(nil)
    return follow { published in
      let value = published.state[keyPath: member]
      let isNew = last.withLock { last in
        defer { last = value }
        return last != value
      }
      if isNew { body(value) }
    }
  }

  /// Calls a function whenever a ``Pulse`` is assigned from now on, with an equal value too.
  public func observe<Value: Sendable>(
    pulse: any KeyPath<Model.State, Pulse<Value>> & Sendable,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> StoreObservation {
    state { $0[keyPath: pulse].updated(body) }
  }

  /// Calls a function with every State, and when it was published.
  func follow(_ body: @escaping @Sendable (Published<Model.State>) -> Void) -> StoreObservation {
    let follower = followers.add { published in
      if let published { body(published) }
    }
    return StoreObservation { [followers] in followers.remove(follower) }
  }
}

/// A State, and when it was published.
struct Published<State: Sendable>: Sendable {
  let state: State
  let time = PulseClock.now
}

/// Something that is being observed, until this is let go of or told to stop.
public final class StoreObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }

  /// Stops observing.
  public func stop() { end() }
}
