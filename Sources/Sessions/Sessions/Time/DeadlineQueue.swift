/// Numbers by deadline, earliest first: a binary heap.
package struct DeadlineQueue {
  package struct Element {
    package let deadline: Duration
    package let number: Int

    package init(deadline: Duration, number: Int) {
      self.deadline = deadline
      self.number = number
    }
  }

  private var elements: [Element] = []

  package init() {}

  package var count: Int { elements.count }
  package var first: Element? { elements.first }

  package mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child].deadline < elements[parent].deadline else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  package mutating func removeFirst() {
    guard let last = elements.popLast(), !elements.isEmpty else { return }
    elements[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < elements.count else { return }
      if child + 1 < elements.count, elements[child + 1].deadline < elements[child].deadline {
        child += 1
      }
      guard elements[child].deadline < elements[parent].deadline else { return }
      elements.swapAt(child, parent)
      parent = child
    }
  }

  package mutating func removeAll(where isGone: (Int) -> Bool) {
    let remaining = elements.filter { !isGone($0.number) }
    elements = []
    for element in remaining { insert(element) }
  }
}
