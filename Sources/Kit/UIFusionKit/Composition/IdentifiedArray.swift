/// An array whose elements are found by their ids, and in which changing one element stays cheap however many
/// there are.
///
/// Use it for the States of many children. In JSON it is an array. Ids are unique: of elements with the same
/// id, the first is kept. Adding and removing elements takes time proportional to their number, as in an
/// array.
///
/// An element's JSON must depend on its value alone, since unchanged elements are not encoded again: no enum
/// among the elements may hold a mutable object.
public struct IdentifiedArray<Element: Identifiable> {
  /// The elements in shared pieces, by which an encoder finds the changed ones.
  package private(set) var tree: SharedTree<Element>
  private var order: Order

  /// The positions of the elements; replaced when an element comes or goes.
  fileprivate final class Order {
    let positions: [Element.ID: Int]

    init(_ positions: [Element.ID: Int]) {
      self.positions = positions
    }
  }

  /// Creates an array of elements; of elements with the same id, the first is kept.
  public init(_ elements: some Sequence<Element>) {
    var positions: [Element.ID: Int] = [:]
    var kept: [Element] = []
    for element in elements where positions[element.id] == nil {
      positions[element.id] = kept.count
      kept.append(element)
    }
    tree = SharedTree(kept)
    order = Order(positions)
  }

  /// The element with an id.
  ///
  /// Assigning an element with a new id appends it; assigning nil removes the element.
  public subscript(id id: Element.ID) -> Element? {
    get { order.positions[id].map { tree[$0] } }
    set {
      switch (order.positions[id], newValue) {
      case (let position?, let element?): modify(position, id) { $0 = element }
      case (let position?, nil): change { $0.remove(at: position) }
      case (nil, let element?): change { $0.append(element) }
      case (nil, nil): break
      }
    }
  }

  /// The elements in order; assign to it to sort, or to insert or remove many.
  public var elements: [Element] {
    get { tree.elements }
    set { self = IdentifiedArray(newValue) }
  }

  private mutating func modify(
    _ position: Int,
    _ id: Element.ID,
    _ body: (inout Element) -> Void
  ) {
    tree.modify(position, body)
    if tree[position].id != id { self = IdentifiedArray(elements) }
  }

  private mutating func change(_ body: (inout [Element]) -> Void) {
    var elements = elements
    body(&elements)
    self.elements = elements
  }
}

extension IdentifiedArray: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// Creates an array of elements.
  public init(arrayLiteral elements: Element...) { self.init(elements) }

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { order.positions.count }

  /// The element at a position.
  public subscript(position: Int) -> Element { tree[position] }
}

extension IdentifiedArray: ChildCollection {
  /// The ids of the elements, in order.
  public var ids: [Element.ID] { tree.elements.map(\.id) }

  /// Changes the element with an id in place; returns false if the id is absent.
  public mutating func modify(_ id: Element.ID, _ body: (inout Element) -> Void) -> Bool {
    guard let position = order.positions[id] else { return false }
    modify(position, id, body)
    return true
  }

  /// An object that is replaced when an element comes or goes.
  public var membership: AnyObject? { order }
}

extension IdentifiedArray.Order: Sendable where Element.ID: Sendable {}
extension IdentifiedArray: Sendable where Element: Sendable, Element.ID: Sendable {}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Returns whether the elements are equal, in order.
  public static func == (a: Self, b: Self) -> Bool { a.tree == b.tree }
}

extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(elements)
  }
}

extension IdentifiedArray: Decodable where Element: Decodable {
  /// Decodes an array; throws if two elements have the same id.
  public init(from decoder: any Decoder) throws {
    let elements = try decoder.singleValueContainer().decode([Element].self)
    self.init(elements)
    guard count == elements.count else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "two elements have the same id")
      )
    }
  }
}

extension IdentifiedArray: CustomReflectable, CustomStringConvertible {
  /// The mirror of an array.
  public var customMirror: Mirror { Mirror(reflecting: elements) }

  /// The elements as an array prints them.
  public var description: String { elements.description }
}
