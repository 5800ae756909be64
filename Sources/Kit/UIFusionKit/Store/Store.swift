import Synchronization

/// A store that runs a view model within the process, for any Swift program.
///
/// A store owns its view model: releasing the store cancels all work and frees the view model. Views use
/// ``ObservableStore``.
///
/// ```swift
/// let store = Store { CounterViewModel(time: $0.time) }
/// let observation = store.observe(\.value) { print($0) }
/// await store.send(.increase).settled()
/// ```
public final class Store<Model: ViewModel>: Sendable {
  private let subscribers: StateSubscribers<Published<Model.State>>
  private let submit: @Sendable ([Model.Input]) -> StoreTask
  private let end: @Sendable () -> Void

  /// Creates the view model with its dependencies, and starts it.
  ///
  /// - Throws: any error of `make`.
  public convenience init(
    _ dependencies: Dependencies = Dependencies(),
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    let subscribers = StateSubscribers<Published<Model.State>>()
    let engine = try Engine(
      dependencies,
      published: { (state: Model.State, _) in subscribers.publish(Published(state: state)) },
      { try make(dependencies) }
    )
    self.init(
      subscribers,
      submit: { StoreTask($0, to: engine) },
      end: { engine.close(isOver: true) }
    )
    engine.prepare(.started)
    engine.resume()
  }

  init(
    _ subscribers: StateSubscribers<Published<Model.State>>,
    submit: @escaping @Sendable ([Model.Input]) -> StoreTask,
    end: @escaping @Sendable () -> Void
  ) {
    self.subscribers = subscribers
    self.submit = submit
    self.end = end
  }

  deinit {
    close()
  }

  /// The State that was published last.
  public var state: Model.State { published.state }

  var published: Published<Model.State> { subscribers.current }

  /// The sequence of States from the current one on; it ends when the store closes.
  public var states: AsyncStream<Model.State> {
    AsyncStream { continuation in
      let subscriber = subscribers.add { published in
        if let published {
          continuation.yield(published.state)
        } else {
          continuation.finish()
        }
      }
      continuation.onTermination = { [subscribers] _ in subscribers.remove(subscriber) }
    }
  }

  /// Sends Inputs, which are processed back to back, after the previous ones.
  ///
  /// - Returns: a handle to wait for the work of the Inputs, or to cancel it.
  @discardableResult
  public func send(_ inputs: Model.Input...) -> StoreTask {
    send(inputs)
  }

  func send(_ inputs: [Model.Input]) -> StoreTask {
    submit(inputs)
  }

  /// Cancels all work and frees the view model.
  ///
  /// Later Inputs are ignored.
  public func close() {
    end()
    subscribers.close()
  }

  // MARK: Observing

  /// Calls a function with every State, in order, beginning with the current one.
  ///
  /// The calls come from any thread, one at a time. Within the function, `state.$member.updated { }`
  /// reports assignments of a ``Pulse``.
  ///
  /// - Returns: the observation, which ends when it is released.
  public func state(_ body: @escaping @Sendable (Model.State) -> Void) -> StoreObservation {
    let before = Mutex<UInt64?>(nil)
    return subscribe { published in
      let horizon = before.withLock { before in
        defer { before = published.time }
        return before ?? published.time
      }
      PulseClock.$horizon.withValue(horizon) { body(published.state) }
    }
  }

  /// Calls a function with a member of State: at once, and then whenever the member changes.
  public func observe<Member: Equatable & Sendable>(
    _ member: any KeyPath<Model.State, Member> & Sendable,
    _ body: @escaping @Sendable (Member) -> Void
  ) -> StoreObservation {
    let last = Mutex<Member?>(nil)
    return subscribe { published in
      let value = published.state[keyPath: member]
      let isNew = last.withLock { last in
        defer { last = value }
        return last.map { PartComparison.differ($0, value) } ?? true
      }
      if isNew { body(value) }
    }
  }

  /// Calls a function whenever a ``Pulse`` is assigned from now on, even with an equal value.
  public func observe<Value: Sendable>(
    pulse: any KeyPath<Model.State, Pulse<Value>> & Sendable,
    _ body: @escaping @Sendable (Value) -> Void
  ) -> StoreObservation {
    state { $0[keyPath: pulse].updated(body) }
  }

  /// Calls a function with every State and the time of its publication.
  func subscribe(_ body: @escaping @Sendable (Published<Model.State>) -> Void) -> StoreObservation {
    subscribeToEnd { published in
      if let published { body(published) }
    }
  }

  /// Calls a function with every State and the time of its publication, and with nil when the store closes.
  func subscribeToEnd(
    _ body: @escaping @Sendable (Published<Model.State>?) -> Void
  ) -> StoreObservation {
    let subscriber = subscribers.add(body)
    return StoreObservation { [subscribers] in subscribers.remove(subscriber) }
  }
}

/// A State and the time of its publication.
struct Published<State: Sendable>: Sendable {
  let state: State
  var time = PulseClock.now
}

/// An observation of a store, which ends when it is stopped or released.
public final class StoreObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit { end() }

  /// Stops the observation.
  public func stop() { end() }
}

/// Stores of children.
extension Store {
  /// Returns the store of a child: its State is a member of this store's, and its Inputs are wrapped in a
  /// case of this store's Inputs.
  ///
  /// A view with the child's store observes only the child, and does not depend on the parent. The child's
  /// store keeps this store alive, and closes with it. Closing only the child's store ends its observations,
  /// and it sends no more Inputs.
  ///
  /// ```swift
  /// let search: Store<Search> = store.scope(\.search, Shop.Input.search)
  /// ```
  public func scope<Child: ViewModel>(
    _ member: any KeyPath<Model.State, Child.State> & Sendable,
    _ input: @escaping @Sendable (Child.Input) -> Model.Input
  ) -> Store<Child> {
    Store<Child>(self, state[keyPath: member], { $0[keyPath: member] }, input)
  }

  /// Returns the store of a child that comes and goes; nil while the child is absent.
  ///
  /// While the child is absent, its store keeps the last State, and ignores Inputs. The store follows the
  /// member, whichever child is in it.
  public func scope<Child: ViewModel>(
    _ member: any KeyPath<Model.State, Child.State?> & Sendable,
    _ input: @escaping @Sendable (Child.Input) -> Model.Input
  ) -> Store<Child>? {
    state[keyPath: member].map { Store<Child>(self, $0, { $0[keyPath: member] }, input) }
  }

  /// Creates a store of a child.
  private convenience init<Parent: ViewModel>(
    _ parent: Store<Parent>,
    _ first: Model.State,
    _ read: @escaping @Sendable (Parent.State) -> Model.State?,
    _ input: @escaping @Sendable (Model.Input) -> Parent.Input
  ) {
    let subscribers = StateSubscribers<Published<Model.State>>()
    let last = Mutex(first)
    let isClosed = Atomic(false)
    subscribers.publish(Published(state: first, time: parent.published.time))
    let observation = parent.subscribeToEnd { published in
      guard let published else { return subscribers.close() }
      guard let state = read(published.state) else { return }
      let isNew = last.withLock { last in
        defer { last = state }
        return PartComparison.differ(last, state)
      }
      if isNew { subscribers.publish(Published(state: state, time: published.time)) }
    }
    self.init(
      subscribers,
      submit: { parent.send(isClosed.load(ordering: .relaxed) ? [] : $0.map(input)) },
      end: {
        isClosed.store(true, ordering: .relaxed)
        observation.stop()
      }
    )
  }
}

extension ObservableStore {
  /// Returns the store of a child, for its view: see ``Store/scope(_:_:)``.
  public func scope<Child: ViewModel>(
    _ member: any KeyPath<Model.State, Child.State> & Sendable,
    _ input: @escaping @Sendable (Child.Input) -> Model.Input
  ) -> ObservableStore<Child> {
    ObservableStore<Child>(store.scope(member, input))
  }

  /// Returns the store of a child that comes and goes; nil while the child is absent.
  public func scope<Child: ViewModel>(
    _ member: any KeyPath<Model.State, Child.State?> & Sendable,
    _ input: @escaping @Sendable (Child.Input) -> Model.Input
  ) -> ObservableStore<Child>? {
    // Read here, so that a view is updated when the child comes or goes.
    guard state[keyPath: member] != nil else { return nil }
    return store.scope(member, input).map { ObservableStore<Child>($0) }
  }
}
