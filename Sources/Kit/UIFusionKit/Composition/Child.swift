/// A view model within another: its State is a member of the parent's, its Actions a case of the
/// parent's, and its effects end when it leaves the parent's State.
///
/// ```swift
/// struct Shop: ReducerViewModel {
///   struct State { var search = Search.State(), detail: Detail.State? }
///   enum Action { case search(Search.Action), detail(Detail.Action), close }
///
///   let search: Child<Shop, Search>
///   let detail: Child<Shop, Detail>
///
///   init(time: any TimeSource) {
///     search = Child(\.search, Action.search) { Search(time: time) }
///     detail = Child(\.detail, Action.detail, dismissed: .close) { Detail(time: time) }
///   }
///
///   func transform(_ input: Input) -> [Action] {
///     switch input {
///     case .search(let input): search.transform(input, in: state)
///     …
///   }
///
///   func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
///     switch action {
///     case .search(let action): return search.reduce(&state, action)
///     case .detail(let action): return detail.reduce(&state, action)
///     case .close: state.detail = nil
///     }
///     …
///   }
/// }
/// ```
///
/// One view model, created on first use, serves the child wherever its State stands. The ids of its effects
/// are its own: they equal neither the parent's nor a sibling's.
public struct Child<Parent: ReducerViewModel, Model: ReducerViewModel>: Sendable {
  let accessor: ChildAccessor<Parent.State, Model.State>
  let embedding: @Sendable (Model.Action) -> Parent.Action
  let dismissed: Parent.Action?
  let model: ChildModel<Model>
  /// Returns the identity of the present child; nil if no other child can take its place.
  let identify: @Sendable (Model.State) -> EffectID?
  var slot: ChildSlot
  let membership: @Sendable (inout Parent.State) -> AnyObject?

  /// Creates a child that is always present.
  ///
  /// - Parameters:
  ///   - member: the child's State in the parent's.
  ///   - action: the parent's case that carries the child's actions.
  ///   - dismissed: the parent's action for ``AsyncEffect/dismiss``.
  ///   - id: the name of the child in ``Interrupted``; needed if its member is computed or a subscript, since
  ///     Swift prints all such members of one type alike.
  ///   - make: creates the child's view model, with the parent's dependencies or with others.
  public init(
    _ member: any WritableKeyPath<Parent.State, Model.State> & Sendable,
    _ action: @escaping @Sendable (Model.Action) -> Parent.Action,
    dismissed: Parent.Action? = nil,
    id: (any Hashable & Sendable)? = nil,
    _ make: @escaping () -> Model
  ) {
    let id = id.map { EffectID($0) }
    self.init(ChildAccessor(member), member, action, dismissed, ChildModel(make), id: id)
  }

  /// Creates a child that comes and goes: its member is optional, or computed from an enum's case.
  public init(
    _ member: any WritableKeyPath<Parent.State, Model.State?> & Sendable,
    _ action: @escaping @Sendable (Model.Action) -> Parent.Action,
    dismissed: Parent.Action? = nil,
    id: (any Hashable & Sendable)? = nil,
    _ make: @escaping () -> Model
  ) {
    let id = id.map { EffectID($0) }
    self.init(ChildAccessor(optional: member), member, action, dismissed, ChildModel(make), id: id)
  }

  /// Creates a child that comes and goes, and whose effects end when a child with another id takes its place.
  public init(
    _ member: any WritableKeyPath<Parent.State, Model.State?> & Sendable,
    _ action: @escaping @Sendable (Model.Action) -> Parent.Action,
    dismissed: Parent.Action? = nil,
    _ make: @escaping () -> Model
  ) where Model.State: Identifiable, Model.State.ID: Sendable {
    self.init(
      ChildAccessor(optional: member),
      member,
      action,
      dismissed,
      ChildModel(make),
      identify: { EffectID($0.id) }
    )
  }

  init(
    _ accessor: ChildAccessor<Parent.State, Model.State>,
    _ member: any AnyKeyPath & Sendable,
    _ embedding: @escaping @Sendable (Model.Action) -> Parent.Action,
    _ dismissed: Parent.Action?,
    _ model: ChildModel<Model>,
    id: EffectID? = nil,
    membership: @escaping @Sendable (inout Parent.State) -> AnyObject? = { _ in nil },
    identify: @escaping @Sendable (Model.State) -> EffectID? = { _ in nil }
  ) {
    self.accessor = accessor
    self.embedding = embedding
    self.dismissed = dismissed
    self.model = model
    self.identify = identify
    self.membership = membership
    slot = ChildSlot(member: member, identity: id)
  }
}

// MARK: - Turns

extension Child {
  /// Returns the parent's actions for an Input of the child; none if the child is absent.
  public func transform(_ input: Model.Input, in state: Parent.State) -> [Parent.Action] {
    actions(in: state) { $0.transform(input) }
  }

  /// Applies an action to the child's State, and returns the effects that follow; does nothing if the child
  /// is absent.
  public func reduce(
    _ state: inout Parent.State,
    _ action: Model.Action
  ) -> [AsyncEffect<Parent.Action>] {
    var effects: [AsyncEffect<Parent.Action>] = []
    _ = accessor.modify(&state) { inner in
      model.takeOver(inner)
      let asked = model.value.reduce(state: &inner, action: action)
      if !asked.isEmpty { effects = lift(asked, of: inner) }
    }
    return effects
  }

  /// Applies the actions that the child begins with; for a parent that has just put it into State.
  ///
  /// Ends the effects and alarms of the child that was there before, if it had the same id. Without this call they
  /// go on if one action has removed the child and put it back: State is a value, and shows only a change.
  public func start(_ state: inout Parent.State) -> [AsyncEffect<Parent.Action>] {
    var effects: [AsyncEffect<Parent.Action>] = []
    _ = accessor.modify(&state) { inner in
      effects = [AsyncEffect(step: .leave([EffectScope(link(to: inner), within: nil)]))]
      model.takeOver(inner)
      for action in model.value.started() {
        effects += lift(model.value.reduce(state: &inner, action: action), of: inner)
      }
    }
    return effects
  }

  /// Returns the parent's actions that the child begins with, for the parent's `started`.
  public func started(in state: Parent.State) -> [Parent.Action] {
    actions(in: state) { $0.started() }
  }

  /// Returns the parent's actions that resume the child, for the parent's `restored`.
  public func restored(_ interrupted: Interrupted, in state: Parent.State) -> [Parent.Action] {
    var slot = slot
    if let identity = accessor.read(state).flatMap(identify) { slot.identity = identity }
    return actions(in: state) { $0.restored(interrupted: interrupted.within(slot)) }
  }

  private func actions(
    in state: Parent.State,
    _ body: (Model) -> [Model.Action]
  ) -> [Parent.Action] {
    guard let inner = accessor.read(state) else { return [] }
    model.takeOver(inner)
    return body(model.value).map(embedding)
  }

  private func lift(
    _ effects: [AsyncEffect<Model.Action>],
    of state: Model.State
  ) -> [AsyncEffect<Parent.Action>] {
    let link = link(to: state)
    return effects.map { AsyncEffect(step: .child(link, $0.step)) }
  }

  /// Returns the link to the child that is present, by its identity.
  private func link(to state: Model.State) -> Self {
    var link = self
    if let identity = identify(state) { link.slot.identity = identity }
    return link
  }
}

/// The view model of a child, created on first use.
final class ChildModel<Model: ReducerViewModel>: @unchecked Sendable {
  // Guard: effects only carry the object; only the engine of the outermost parent uses its contents.
  private let make: () -> Model
  lazy var value = make()

  init(_ make: @escaping () -> Model) {
    self.make = make
  }

  /// Gives the view model the State of the child that it currently serves.
  // Not inlined: its temporaries would stay on the stack of each level below.
  @inline(never)
  func takeOver(_ state: Model.State) {
    value.state = state
  }
}

extension Child: ChildLink {
  var dismissal: (any Sendable)? { dismissed }

  func embed(_ action: any Sendable) -> any Sendable {
    (action as? Model.Action).map(embedding) ?? action
  }

  func makeLiveChild() -> Any { LiveModel(self) }
}

/// A child that has asked for effects, with those of its own children that have, too.
private final class LiveModel<Parent: ReducerViewModel, Model: ReducerViewModel>:
  LiveChild<Parent.State>
{
  private let child: Child<Parent, Model>
  private var children = LiveChildren<Model.State>()

  init(_ child: Child<Parent, Model>) {
    self.child = child
    super.init(child)
  }

  override func add(_ links: ArraySlice<any ChildLink>) {
    children.add(links)
  }

  override func isPresent(
    in state: inout Parent.State,
    within outer: EffectScope?,
    _ gone: inout Set<EffectScope>
  ) -> Bool {
    guard let inner = child.accessor.read(state) else { return false }
    let identity = child.identify(inner)
    let isSame = identity == nil || identity == child.slot.identity
    guard isSame, !children.isEmpty else { return isSame }
    _ = child.accessor.modify(&state) { inner in
      children.removeGone(from: &inner, within: EffectScope(child, within: outer), into: &gone)
    }
    return isSame
  }

  override func membership(in state: inout Parent.State) -> AnyObject? { child.membership(&state) }

  override func actions(
    handling error: SendableError,
    of effect: EffectID?,
    in links: ArraySlice<any ChildLink>,
    _ state: inout Parent.State
  ) -> [any Sendable] {
    var actions: [any Sendable] = []
    _ = child.accessor.modify(&state) { inner in
      if !links.isEmpty {
        actions = children.actions(handling: error, of: effect, in: links, &inner)
        guard actions.isEmpty else { return }
      }
      child.model.takeOver(inner)
      actions = child.model.value.handleError(error, of: links.isEmpty ? effect : nil)
    }
    return actions.map(child.embed)
  }
}

extension Child where Model: SessionFollowing {
  /// Returns the sessions that the child follows, for the parent's ``SessionFollowing/following``; none if
  /// the child is absent.
  public func following(in state: Parent.State) -> [Following<Parent.Action>] {
    guard let inner = accessor.read(state) else { return [] }
    model.takeOver(inner)
    var slot = slot
    if let identity = identify(inner) { slot.identity = identity }
    return model.value.following.map { Following($0.erased.within(slot, embed)) }
  }
}

extension Children where Model: SessionFollowing {
  /// Returns the sessions that all children follow.
  public func following(in state: Parent.State) -> [Following<Parent.Action>] {
    ids(state).flatMap { child($0).following(in: state) }
  }
}
