import Synchronization

/// Stores of children.
extension Store {
  /// Returns the store of a child: its State is a member of this store's, and its Inputs are carried by a
  /// case of this store's Inputs.
  ///
  /// A view that is given the child's store observes only the child, and does not know where it stands.
  /// The child's store keeps this store alive, and closes with it. Closed by itself, it observes and sends no more.
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

  /// Returns the store of a child that comes and goes; nil while it is away.
  ///
  /// While the child is away, its store keeps the last State, and its Inputs do nothing. The store of a member is that
  /// of whichever child is there.
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
        return last != state
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
  /// Returns the store of a child, for a view of that part: see ``Store/scope(_:_:)``.
  public func scope<Child: ViewModel>(
    _ member: any KeyPath<Model.State, Child.State> & Sendable,
    _ input: @escaping @Sendable (Child.Input) -> Model.Input
  ) -> ObservableStore<Child> {
    ObservableStore<Child>(store.scope(member, input))
  }

  /// Returns the store of a child that comes and goes; nil while it is away.
  public func scope<Child: ViewModel>(
    _ member: any KeyPath<Model.State, Child.State?> & Sendable,
    _ input: @escaping @Sendable (Child.Input) -> Model.Input
  ) -> ObservableStore<Child>? {
    // Read here, so that a view is told when the child comes or goes.
    guard state[keyPath: member] != nil else { return nil }
    return store.scope(member, input).map { ObservableStore<Child>($0) }
  }
}
