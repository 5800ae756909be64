/// A collection of the States of children, found by their ids.
///
/// Arrays of identifiable elements, dictionaries and ``IdentifiedArray`` conform. An array searches its
/// elements for an id: prefer an ``IdentifiedArray`` for more than a few hundred.
public protocol ChildCollection<ChildID, ChildState>: SendableMetatype {
  /// The ids of the children.
  associatedtype ChildID: Hashable
  /// The State of one child.
  associatedtype ChildState

  /// The ids of all children, in order if the collection has one.
  var ids: [ChildID] { get }

  /// The State of the child with an id; nil if there is none.
  subscript(id id: ChildID) -> ChildState? { get }

  /// Changes the State of a child in place; returns false if there is no child with the id.
  mutating func modify(_ id: ChildID, _ body: (inout ChildState) -> Void) -> Bool

  /// An object that stays the same while no child comes or goes; nil if the collection does not track this.
  var membership: AnyObject? { get }
}

extension ChildCollection {
  /// Nil: the collection does not track its membership.
  public var membership: AnyObject? { nil }
}

extension Dictionary: ChildCollection {
  /// The keys, in no order.
  public var ids: [Key] { Array(keys) }

  /// The value of a key.
  public subscript(id key: Key) -> Value? { self[key] }

  /// Changes the value of a key in place; returns false if the key is absent.
  @discardableResult
  public mutating func modify(_ key: Key, _ body: (inout Value) -> Void) -> Bool {
    guard let index = index(forKey: key) else { return false }
    body(&values[index])
    return true
  }
}

extension Array: ChildCollection where Element: Identifiable {
  /// The ids of the elements, in order.
  public var ids: [Element.ID] { map(\.id) }

  /// The first element with an id.
  public subscript(id id: Element.ID) -> Element? { first { $0.id == id } }

  /// Changes the first element with an id in place; returns false if there is none.
  @discardableResult
  public mutating func modify(_ id: Element.ID, _ body: (inout Element) -> Void) -> Bool {
    guard let index = firstIndex(where: { $0.id == id }) else { return false }
    body(&self[index])
    return true
  }
}
