/// A child view model whose effects run, as a place below the view model that the engine runs.
///
/// Two scopes are equal if they are the same place with the same child in it.
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

  /// The members and identities that lead to the child, the same text in the next process.
  var name: String { links.map(\.slot.name).joined(separator: "/") }

  /// Returns the child's action as the view model that the engine runs knows it.
  func embed(_ action: any Sendable) -> any Sendable {
    outer.embed(link.embed(action))
  }

  /// Returns whether this scope or one around it is in a set.
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

  /// Returns the parent's action that carries the child's.
  func embed(_ action: any Sendable) -> any Sendable

  /// Creates a ``LiveChild`` of the parent's State.
  func makeLiveChild() -> Any
}

/// The place of a child in its parent's State.
struct ChildSlot: Hashable, Sendable {
  let member: any AnyKeyPath & Sendable
  /// The identity of the child, where others may take its place; nil for one that is always there.
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
    // The address of a computed member differs from process to process.
    let words = path[start...].split(separator: " ").filter { !$0.hasPrefix("0x") }
    return words.joined(separator: " ") + (identity.map { "[\($0)]" } ?? "")
  }
}

extension EffectScope? {
  /// Returns the action of a view model in this scope as the one that the engine runs knows it.
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
