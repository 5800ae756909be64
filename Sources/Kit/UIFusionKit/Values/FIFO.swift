/// A first-in-first-out queue whose first element is removed in constant time.
struct FIFO<Element> {
  var elements: [Element?] = []
  var head = 0

  var isEmpty: Bool { head == elements.count }

  var count: Int { elements.count - head }

  var first: Element? { isEmpty ? nil : elements[head] }

  init() {}

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  mutating func prepend(_ element: Element) {
    elements.insert(element, at: head)
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer { shrink() }
    head += 1
    return elements[head - 1].take()
  }

  func contains(where matches: (Element) -> Bool) -> Bool {
    elements[head...].contains { $0.map(matches) ?? false }
  }

  /// Changes the last element that matches; returns whether there is one.
  mutating func changeLast(
    where matches: (Element) -> Bool,
    _ body: (inout Element) -> Void
  ) -> Bool {
    let index = elements[head...].lastIndex { $0.map(matches) ?? false }
    guard let index, var element = elements[index] else { return false }
    body(&element)
    elements[index] = element
    return true
  }

  /// Removes the elements that match, and returns them.
  mutating func removeAll(where matches: (Element) -> Bool) -> [Element] {
    let rest = elements[head...].compactMap { $0 }
    elements = rest.filter { !matches($0) }
    head = 0
    return rest.filter(matches)
  }

  /// Releases the memory of removed elements, even if the queue never becomes empty, but keeps some capacity.
  mutating func shrink() {
    if isEmpty {
      if elements.count == 1, elements.capacity <= 16 {
        // Cheaper, and the common case.
        elements.removeLast()
      } else {
        elements.removeAll(keepingCapacity: elements.capacity <= 16)
      }
      head = 0
    } else if head >= 32, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
  }
}
