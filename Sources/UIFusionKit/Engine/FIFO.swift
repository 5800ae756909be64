/// Elements in the order in which they came; taking the first is cheap however many there are.
///
/// Inlinable, as it is used with types of other modules, where code that is generic at run time would
/// cost more than what it does.
package struct FIFO<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable package var isEmpty: Bool { head == elements.count }

  @inline(__always)
  @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

  @inlinable package init() {}

  @inlinable package mutating func append(_ element: Element) {
    elements.append(element)
  }

  @inlinable mutating func prepend(_ element: Element) {
    elements.insert(element, at: head)
  }

  @inlinable package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer { shrink() }
    head += 1
    return elements[head - 1].take()
  }

  @inlinable package func contains(where isMeant: (Element) -> Bool) -> Bool {
    elements[head...].contains { $0.map(isMeant) ?? false }
  }

  /// Removes those that are meant, and returns them.
  @inlinable package mutating func removeAll(where isMeant: (Element) -> Bool) -> [Element] {
    let rest = elements[head...].compactMap { $0 }
    elements = rest.filter { !isMeant($0) }
    head = 0
    return rest.filter(isMeant)
  }

  /// What was taken must not stay, also where the queue is never quite empty; and a few places are
  /// kept, since they will be needed again.
  @inlinable mutating func shrink() {
    if isEmpty {
      elements.removeAll(keepingCapacity: elements.capacity <= 16)
      head = 0
    } else if head >= 32, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
  }
}
