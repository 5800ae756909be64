/// A stack of the States of children, such as the screens that a user has navigated to.
///
/// Each child has its own id, which is never reused. To empty the stack, call ``removeAll()``: a new stack
/// counts from 1 again. A child's effects end when it leaves the stack. In JSON the stack is
/// `{"items":[{"id":1,"state":…}],"pushed":1}`.
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
    /// The number of children pushed up to this one, including it.
    public let id: Int
    /// The State of the child.
    public var state: State
  }

  /// The children, from bottom to top.
  public private(set) var items: [Item] = []
  private var pushed = 0

  /// Creates a stack without children.
  public init() {}

  /// The State of the topmost child; nil if the stack is empty.
  public var top: State? { items.last?.state }

  /// Puts a child on top of the stack.
  ///
  /// - Returns: the id of the child.
  @discardableResult
  public mutating func push(_ state: State) -> Int {
    pushed += 1
    items.append(Item(id: pushed, state: state))
    return pushed
  }

  /// Removes the topmost child; does nothing if the stack is empty.
  public mutating func pop() { _ = items.popLast() }

  /// Removes a child and all above it; does nothing if it is not on the stack.
  public mutating func pop(from id: Int) {
    if let index = items.firstIndex(where: { $0.id == id }) { items.removeSubrange(index...) }
  }

  /// Removes all children.
  public mutating func removeAll() { items = [] }
}

extension ChildStack: ChildCollection {
  /// The ids of the children, from bottom to top.
  public var ids: [Int] { items.map(\.id) }

  /// The State of the child with an id; nil if it is not on the stack.
  public subscript(id id: Int) -> State? { items[id: id]?.state }

  /// Changes the State of a child in place; returns false if it is not on the stack.
  @discardableResult
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

/// A child's State that has a name in the page's address.
public protocol Addressed {
  /// The name, such as `product-7`; without a slash.
  var addressName: String { get }
}

extension ChildStack where State: Addressed {
  /// The names of the children, from bottom to top, separated by slashes.
  ///
  /// Expose it as a member of State, and a page mirrors it in its own address with a hidden field:
  /// `<input type="hidden" data-value="address" data-input="go($value)" data-address="at">`.
  /// Back and forward then arrive as Inputs, for ``go(to:_:)``.
  public var address: String { items.map(\.state.addressName).joined(separator: "/") }

  /// Makes the stack match an address.
  ///
  /// Children stay as far as their names match. The first name for which `make` returns nil ends the stack,
  /// since an address may come from anywhere.
  public mutating func go(to address: String, _ make: (_ name: String) -> State?) {
    let names = address.split(separator: "/").map(String.init)
    let same = zip(items, names).prefix { $0.state.addressName.hasSameBytes(as: $1) }.count
    items.removeSubrange(same...)
    for name in names[same...] {
      guard let state = make(name) else { return }
      push(state)
    }
  }
}
