public import Observation
import Synchronization

/// A store for views: its State is observable, and all delivery is on the main actor.
///
/// SwiftUI reads ``state`` and binds with ``binding(_:send:)``; AppKit and UIKit observe. Both may share one
/// store. Every State is delivered, in order. A change that an Input makes at once is delivered before
/// ``send(_:)`` returns, unless the view model is busy with another Input, so a text field never shows
/// outdated text. Later changes are delivered as they occur.
///
/// Releasing the store cancels all work and frees the view model.
///
/// ```swift
/// let store = ObservableStore { CounterViewModel(time: $0.time) }
/// let observation = store.observe(\.value) { label.stringValue = "\($0)" }
/// store.send(.increase)
/// ```
@MainActor
@Observable
public final class ObservableStore<Model: ViewModel> {
  /// The State that was delivered last.
  public private(set) var state: Model.State

  @ObservationIgnored let store: Store<Model>
  @ObservationIgnored private let deliveries = DeliveryQueue<Model.State>()
  @ObservationIgnored private var subscription: StoreObservation?
  @ObservationIgnored private var isDelivering = false
  /// The publication time of the State that was delivered last.
  @ObservationIgnored private var delivered: UInt64

  /// Creates the view model with its dependencies, and starts it.
  ///
  /// - Throws: any error of `make`.
  public convenience init(
    _ dependencies: Dependencies = Dependencies(),
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    self.init(try Store(dependencies, make))
  }

  init(_ store: Store<Model>) {
    self.store = store
    let first = store.published
    state = first.state
    delivered = first.time
    subscription = store.subscribe { [weak self, deliveries] published in
      guard deliveries.add(published) else { return }
      Task { @MainActor in self?.deliver() }
    }
    deliver()
  }

  /// Sends Inputs, which are processed back to back, after the previous ones.
  ///
  /// - Returns: a handle to wait for the work of the Inputs, or to cancel it.
  @discardableResult
  public func send(_ inputs: Model.Input...) -> StoreTask {
    let sending = store.send(inputs)
    deliver()
    return sending
  }

  /// Delivers published States now; for tests that have waited for them.
  public func deliver() {
    // An observer may send Inputs; the resulting States are delivered after this one.
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while let published = deliveries.next() {
      state = published.state
      delivered = published.time
      // An observer may stop another one.
      for number in deliveries.numbers { deliveries.observer(number)?(published) }
    }
  }

  // MARK: Binding and observing

  /// Returns a binding that reads a member of State and sends an Input to edit it.
  ///
  /// In SwiftUI: `TextField("Name", text: Binding(get: name.get, set: name.set))`.
  public func binding<Value>(
    _ member: KeyPath<Model.State, Value>,
    send input: @escaping (_ value: Value) -> Model.Input
  ) -> StoreBinding<Value> {
    StoreBinding(get: { self.state[keyPath: member] }, set: { self.send(input($0)) })
  }

  /// Calls a function with every State, in order, beginning with the current one.
  ///
  /// Within the function, `state.$member.updated { }` reports assignments of a ``Pulse``.
  ///
  /// - Returns: the observation, which ends when it is released.
  public func observe(
    _ body: @escaping @MainActor (_ state: Model.State) -> Void
  ) -> StoreObservation {
    var horizon = delivered
    let observation = deliveries.observe { published in
      PulseClock.$horizon.withValue(horizon) { body(published.state) }
      horizon = published.time
    }
    // States that result from Inputs sent by `body` are delivered after this call.
    let wasDelivering = isDelivering
    isDelivering = true
    body(state)
    isDelivering = wasDelivering
    deliver()
    return observation
  }

  /// Calls a function with a member of State: at once, and then whenever the member changes.
  public func observe<Member: Equatable>(
    _ member: KeyPath<Model.State, Member>,
    _ body: @escaping @MainActor (_ member: Member) -> Void
  ) -> StoreObservation {
    var last: Member?
    return observe { state in
      let value = state[keyPath: member]
      if let last, !PartComparison.differ(last, value) { return }
      last = value
      body(value)
    }
  }

  /// Calls a function whenever a ``Pulse`` is assigned from now on, even with an equal value.
  public func observe<Value>(
    pulse: KeyPath<Model.State, Pulse<Value>>,
    _ body: @escaping @MainActor (_ value: Value) -> Void
  ) -> StoreObservation {
    observe { $0[keyPath: pulse].updated(body) }
  }
}

/// A two-way binding to a member of State, in a form that suits any view.
///
/// Both functions are marked `@MainActor`, as SwiftUI's `Binding` requires.
@MainActor
public struct StoreBinding<Value> {
  /// Returns the member of the State that was delivered last.
  public let get: @MainActor () -> Value
  /// Sends the Input that edits the member.
  public let set: @MainActor (Value) -> Void

  /// The member; setting it sends the Input.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}
