/// The children of a view model that have asked for effects and are still in its State.
///
/// After each action, finds the children that have left State, so that their effects end. A list without
/// added or removed elements is skipped, however long it is.
struct LiveChildren<State> {
  /// The children in one member of State, keyed by the member's slot without an identity.
  private var groups: [ChildSlot: Group] = [:]

  private struct Group {
    var children: [ChildSlot: LiveChild<State>] = [:]
    /// The children with live children of their own.
    var parents: Set<ChildSlot> = []
    /// The membership of the list at the last search; nil if the list has none.
    var membership: AnyObject?
  }

  var isEmpty: Bool { groups.isEmpty }

  /// Adds a child, given the links that lead to it.
  mutating func add(_ links: ArraySlice<any ChildLink>) {
    guard let link = links.first else { return }
    let slot = link.slot
    let member = ChildSlot(member: slot.member)
    let known = groups[member]?.children[slot]
    guard let child = known ?? link.makeLiveChild() as? LiveChild<State> else { return }
    child.add(links.dropFirst())
    if known == nil { groups[member, default: Group()].children[slot] = child }
    if links.count > 1 { groups[member]?.parents.insert(slot) }
  }

  /// Removes the children that have left State, and adds their scopes to a set.
  mutating func removeGone(
    from state: inout State,
    within outer: EffectScope?,
    into gone: inout Set<EffectScope>
  ) {
    for (member, group) in groups {
      let membership = group.children.first?.value.membership(in: &state)
      let isUnchanged = membership != nil && membership === group.membership
      if !isUnchanged { groups[member]?.membership = membership }
      let suspects = isUnchanged ? group.parents : Set(group.children.keys)
      for slot in suspects {
        guard let child = group.children[slot],
          !child.isPresent(in: &state, within: outer, &gone)
        else { continue }
        gone.insert(EffectScope(child.link, within: outer))
        groups[member]?.children[slot] = nil
        groups[member]?.parents.remove(slot)
      }
      if groups[member]?.children.isEmpty == true { groups[member] = nil }
    }
  }

  /// Returns this view model's actions for the error of a child's effect; none if no child handles it.
  func actions(
    handling error: SendableError,
    of effect: EffectID?,
    in links: ArraySlice<any ChildLink>,
    _ state: inout State
  ) -> [any Sendable] {
    guard let slot = links.first?.slot else { return [] }
    let child = groups[ChildSlot(member: slot.member)]?.children[slot]
    return child?.actions(handling: error, of: effect, in: links.dropFirst(), &state) ?? []
  }
}

/// A child that has asked for effects, with its type erased except for its parent's State.
class LiveChild<State> {
  let link: any ChildLink

  init(_ link: any ChildLink) {
    self.link = link
  }

  /// Adds a child of this child.
  func add(_ links: ArraySlice<any ChildLink>) {}

  /// Returns whether the child is in State; adds the scopes of those of its own children that have left.
  func isPresent(
    in state: inout State,
    within outer: EffectScope?,
    _ gone: inout Set<EffectScope>
  ) -> Bool { false }

  /// Returns an object that stays the same while the child's list neither gains nor loses an element; nil if
  /// the list has none.
  func membership(in state: inout State) -> AnyObject? { nil }

  /// Returns the parent's actions for an error of the child's effects, or of its children's.
  func actions(
    handling error: SendableError,
    of effect: EffectID?,
    in links: ArraySlice<any ChildLink>,
    _ state: inout State
  ) -> [any Sendable] { [] }
}
