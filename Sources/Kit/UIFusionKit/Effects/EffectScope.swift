/// A child view model that runs effects, as a place below the view model that the engine runs.
///
/// Two scopes are equal if the same child is in the same place.
final class EffectScope: Sendable {
  /// The scope of the child's parent; nil if the engine runs the parent itself.
  let outer: EffectScope?
  let link: any ChildLink

  init(_ link: any ChildLink, within outer: EffectScope?) {
    self.outer = outer
    self.link = link
  }

  /// The links from the outermost parent to this child.
  var links: [any ChildLink] {
    var links = [link]
    var next = outer
    while let scope = next {
      links.append(scope.link)
      next = scope.outer
    }
    return links.reversed()
  }

  /// The members and identities that lead to the child, the same text in every process.
  var name: String { links.map(\.slot.name).joined(separator: "/") }

  /// Wraps the child's action in an action of the view model that the engine runs.
  func embed(_ action: any Sendable) -> any Sendable {
    outer.embed(link.embed(action))
  }

  /// Returns the scope with the outermost parent as a child itself.
  func within(_ outer: EffectScope?) -> EffectScope {
    EffectScope(link, within: self.outer?.within(outer) ?? outer)
  }

  /// Returns whether a set contains this scope or one around it.
  func isWithin(_ scopes: Set<EffectScope>) -> Bool {
    var next: EffectScope? = self
    while let scope = next {
      if scopes.contains(scope) { return true }
      next = scope.outer
    }
    return false
  }
}

extension EffectScope: Hashable {
  static func == (a: EffectScope, b: EffectScope) -> Bool {
    a === b || a.link.slot == b.link.slot && a.outer == b.outer
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(link.slot)
    outer?.hash(into: &hasher)
  }
}

/// The link between a parent and one of its children, without their types.
protocol ChildLink: Sendable {
  var slot: ChildSlot { get }
  /// The parent's action for ``AsyncEffect/dismiss``; nil for a child that cannot ask for it.
  var dismissal: (any Sendable)? { get }

  /// Wraps the child's action in the parent's.
  func embed(_ action: any Sendable) -> any Sendable

  /// Creates a ``LiveChild`` of the parent's State.
  func makeLiveChild() -> Any
}

/// The place of a child in its parent's State.
struct ChildSlot: Hashable, Sendable {
  let member: any AnyKeyPath & Sendable
  /// The identity of the child, if others may take its place; nil for a child that is always present.
  var identity: EffectID?

  static func == (a: ChildSlot, b: ChildSlot) -> Bool {
    (a.member as AnyKeyPath) == b.member && a.identity == b.identity
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(member as AnyKeyPath)
    hasher.combine(identity)
  }

  /// The member's name and the identity; a computed member is named by its type.
  var name: String {
    let path = "\(member)"
    let start = path.firstIndex(of: ".").map { path.index(after: $0) } ?? path.startIndex
    // The address of a computed member differs between processes.
    let words = path[start...].split(separator: " ").filter { !$0.hasPrefix("0x") }
    return words.joined(separator: " ") + (identity.map { "[\($0)]" } ?? "")
  }
}

extension EffectScope? {
  /// Wraps the action of a view model in this scope in one of the view model that the engine runs.
  func embed(_ action: any Sendable) -> any Sendable {
    var action = action
    var next = self
    while let scope = next {
      action = scope.link.embed(action)
      next = scope.outer
    }
    return action
  }
}
