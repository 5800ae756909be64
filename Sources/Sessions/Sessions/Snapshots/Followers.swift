/// The followers of a feed, in the order in which they came: memory that was allocated together is then visited
/// together.
struct Followers {
  struct Element {
    let wake: @Sendable () -> Void
    let follower: (any Follower)?
  }

  /// The places, in the order of their numbers; a place without an element is one that was left.
  private var places: [(number: Int, element: Element?)] = []
  private var lastNumber = 0
  // Narrow, since each session has one.
  private(set) var count: Int32 = 0

  var isEmpty: Bool { count == 0 }

  /// Returns the number by which it is removed.
  mutating func add(_ element: Element) -> Int {
    lastNumber += 1
    places.append((lastNumber, element))
    count += 1
    return lastNumber
  }

  /// Amortized constant time, beside a binary search: places are given up when half of them are empty.
  mutating func remove(_ number: Int) {
    guard let place = place(of: number), places[place].element != nil else { return }
    places[place].element = nil
    count -= 1
    if count <= places.count / 2 { places.removeAll { $0.element == nil } }
    // A feed without followers holds no buffer.
    if count == 0 { places = [] }
  }

  func forEach(_ body: (Element) -> Void) {
    for place in places { if let element = place.element { body(element) } }
  }

  private func place(of number: Int) -> Int? {
    var range = places.indices
    while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
      if places[middle].number == number { return middle }
      if places[middle].number < number {
        range = middle + 1..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return nil
  }
}
