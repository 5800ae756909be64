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
