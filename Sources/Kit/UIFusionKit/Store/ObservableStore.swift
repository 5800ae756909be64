public import Observation
import Synchronization

/// A view model for views: its State is observable, and whatever it tells comes on the main actor.
///
/// SwiftUI reads ``state`` and binds with ``binding(_:send:)``; AppKit and UIKit observe. Both may do so with
/// one store at once. Every State is delivered, in order. What an Input changes at once is there when
/// ``send(_:)`` returns, unless the view model is at work on another just then: so a text field does not show
/// what was before. What work leads to later comes by itself.
///
/// When the store goes, so does the view model, with all that it is doing.
///
/// ```swift
/// let store = ObservableStore { CounterViewModel(time: $0.time) }
/// let observation = store.observe(\.value) { label.stringValue = "\($0)" }
/// store.send(.increase)
/// ```
@MainActor
@Observable
public final class ObservableStore<Model: ViewModel> {
  /// The State as it was delivered last.
  public private(set) var state: Model.State

  @ObservationIgnored private let store: Store<Model>
  @ObservationIgnored private let deliveries = Deliveries<Model.State>()
  @ObservationIgnored private var following: StoreObservation?
  @ObservationIgnored private var isDelivering = false
  /// When the State that was delivered last was published.
  @ObservationIgnored private var delivered: UInt64

  /// Creates the view model, and hands it what it is given from outside.
  public init(
    _ dependencies: Dependencies = Dependencies(),
    _ make: @Sendable (_ dependencies: Dependencies) throws -> Model
  ) rethrows {
    store = try Store(dependencies, make)
    let first = store.published
    state = first.state
    delivered = first.time
    following = store.follow { [weak self, deliveries] published in
      guard deliveries.add(published) else { return }
      Task { @MainActor in self?.deliver() }
    }
    deliver()
  }

  /// Sends Inputs; they are processed back to back, after what was sent before.
  @discardableResult
  public func send(_ inputs: Model.Input...) -> Sending {
    let sending = store.send(inputs)
    deliver()
    return sending
  }

  /// Delivers now what the view model has published: for tests, which have waited for it.
  public func deliver() {
    // Who observes may send; what comes of that is delivered after this.
    guard !isDelivering else { return }
    isDelivering = true
    defer { isDelivering = false }
    while let published = deliveries.next() {
      state = published.state
      delivered = published.time
      // One of them may let go of another.
      for number in deliveries.numbers { deliveries.observer(number)?(published) }
    }
  }

  // MARK: Binding and observing

  /// A member to show and to edit: an edit sends an Input.
  ///
  /// In SwiftUI: `TextField("Name", text: Binding(get: name.get, set: name.set))`.
  public func binding<Value>(
    _ member: KeyPath<Model.State, Value>,
    send input: @escaping (_ value: Value) -> Model.Input
  ) -> StoreBinding<Value> {
    StoreBinding(get: { self.state[keyPath: member] }, set: { self.send(input($0)) })
  }

  /// Calls a function with every State, beginning with the current one.
  ///
  /// Within it, `state.$member.updated { }` tells the assignments of a ``Pulse``. It goes on until
  /// what is returned is let go of.
  public func observe(
    _ body: @escaping @MainActor (_ state: Model.State) -> Void
  ) -> StoreObservation {
    var horizon = delivered
    let observation = deliveries.observe { published in
      PulseClock.$horizon.withValue(horizon) { body(published.state) }
      horizon = published.time
    }
    // What it sends by now is delivered behind this, and to it as well.
    let wasDelivering = isDelivering
    isDelivering = true
    body(state)
    isDelivering = wasDelivering
    deliver()
    return observation
  }

  /// Calls a function with a member of the State: at first, and then whenever it has changed.
  public func observe<Member: Equatable>(
    _ member: KeyPath<Model.State, Member>,
    _ body: @escaping @MainActor (_ member: Member) -> Void
  ) -> StoreObservation {
    var last: Member?
    return observe { state in
      let value = state[keyPath: member]
      guard value != last else { return }
      last = value
      body(value)
    }
  }

  /// Calls a function whenever a ``Pulse`` is assigned from now on, with an equal value too.
  public func observe<Value>(
    pulse: KeyPath<Model.State, Pulse<Value>>,
    _ body: @escaping @MainActor (_ value: Value) -> Void
  ) -> StoreObservation {
    observe { $0[keyPath: pulse].updated(body) }
  }
}

/// A member of a State to show and to edit, in the form that any view takes.
///
/// Both functions say that they belong to the main actor, as SwiftUI's `Binding` wants to know it.
@MainActor
public struct StoreBinding<Value> {
  /// The member as it was delivered last.
  public let get: @MainActor () -> Value
  /// Sends the Input that edits it.
  public let set: @MainActor (Value) -> Void

  /// The member; setting it sends the Input.
  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}
