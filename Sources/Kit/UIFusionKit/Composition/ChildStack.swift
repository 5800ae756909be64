/// The States of children on top of each other, such as the screens that a user has gone to.
///
/// Each child has an id of its own, which is given to no later one: empty the stack by ``removeAll()``, as a new one
/// counts from 1 again. Its effects end when it leaves the
/// stack. In JSON the stack is `{"items":[{"id":1,"state":…}],"pushed":1}`.
///
/// ```swift
/// var screens = ChildStack<Screen.State>()
///
/// screens = Children(\.screens, Action.screens, dismissed: Action.back) { Screen() }
///
/// case .open(let product): state.screens.push(Screen.State(product))
/// case .back(let id): state.screens.pop(from: id)
/// ```
public struct ChildStack<State> {
  /// A child on the stack.
  public struct Item: Identifiable {
    /// The number of children that were pushed before this one, and this one.
    public let id: Int
    /// The State of the child.
    public var state: State
  }

  /// The children, from the lowest to the topmost.
  public private(set) var items: [Item] = []
  private var pushed = 0

  /// Creates a stack without children.
  public init() {}

  /// The State of the topmost child; nil if there is none.
  public var top: State? { items.last?.state }

  /// Puts a child on top.
  ///
  /// - Returns: the id of the child.
  @discardableResult
  public mutating func push(_ state: State) -> Int {
    pushed += 1
    items.append(Item(id: pushed, state: state))
    return pushed
  }

  /// Removes the topmost child, if there is one.
  public mutating func pop() { _ = items.popLast() }

  /// Removes a child and all above it; nothing if it is not there.
  public mutating func pop(from id: Int) {
    if let index = items.firstIndex(where: { $0.id == id }) { items.removeSubrange(index...) }
  }

  /// Removes all children.
  public mutating func removeAll() { items = [] }
}

extension ChildStack: ChildCollection {
  /// The ids of the children, from the lowest to the topmost.
  public var ids: [Int] { items.map(\.id) }

  /// The State of the child with an id; nil if it is not on the stack.
  public subscript(id id: Int) -> State? { items[id: id]?.state }

  /// Changes the State of a child in place; returns false if it is not on the stack.
  public mutating func modify(_ id: Int, _ body: (inout State) -> Void) -> Bool {
    items.modify(id) { body(&$0.state) }
  }
}

extension ChildStack.Item: Sendable where State: Sendable {}
extension ChildStack.Item: Equatable where State: Equatable {}
extension ChildStack.Item: Encodable where State: Encodable {}
extension ChildStack.Item: Decodable where State: Decodable {}
extension ChildStack: Sendable where State: Sendable {}
extension ChildStack: Equatable where State: Equatable {}
extension ChildStack: Encodable where State: Encodable {}
extension ChildStack: Decodable where State: Decodable {}

// MARK: - The address

/// The State of a child with a name in the page's address.
public protocol Addressed {
  /// The name, such as `product-7`; without a slash.
  var addressName: String { get }
}

extension ChildStack where State: Addressed {
  /// The names of the children, from the lowest to the topmost, with slashes between them.
  ///
  /// Show it as a member of State, and a page keeps it in its address with a hidden field:
  /// `<input type="hidden" data-value="address" data-input="go($value)" data-address="at">`. Back and
  /// forward are then Inputs, for ``go(to:_:)``.
  public var address: String { items.map(\.state.addressName).joined(separator: "/") }

  /// Makes the stack the one that an address names.
  ///
  /// Children stay as far as their names agree with the address. The first name that `make` does not
  /// know ends the stack, as an address may come from anywhere.
  public mutating func go(to address: String, _ make: (_ name: String) -> State?) {
    let names = address.split(separator: "/").map(String.init)
    let same = zip(items, names).prefix { $0.state.addressName == $1 }.count
    items.removeSubrange(same...)
    for name in names[same...] {
      guard let state = make(name) else { return }
      push(state)
    }
  }
}
