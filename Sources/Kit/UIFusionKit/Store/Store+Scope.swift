import Synchronization

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
