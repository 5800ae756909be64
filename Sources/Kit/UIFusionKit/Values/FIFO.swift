/// Elements in the order in which they came; taking the first is cheap however many there are.
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

  func contains(where isMeant: (Element) -> Bool) -> Bool {
    elements[head...].contains { $0.map(isMeant) ?? false }
  }

  /// Removes those that are meant, and returns them.
  mutating func removeAll(where isMeant: (Element) -> Bool) -> [Element] {
    let rest = elements[head...].compactMap { $0 }
    elements = rest.filter { !isMeant($0) }
    head = 0
    return rest.filter(isMeant)
  }

  /// What was taken must not stay, also where the queue is never quite empty; and a few places are
  /// kept, since they will be needed again.
  mutating func shrink() {
    if isEmpty {
      if elements.count == 1, elements.capacity <= 16 {
        // The usual case, and cheaper.
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
