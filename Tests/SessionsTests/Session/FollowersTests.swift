import Testing

@testable import FusionSessions

struct `Followers of a feed` {
  private let visits = Tally()
  private var followers = Followers()
  /// The followers' names by their numbers, in the order of joining.
  private var there: [(number: Int, name: String)] = []

  private mutating func add(_ names: Range<Int>) {
    for name in names {
      let visits = visits
      let element = Followers.Element(wake: { visits.add("\(name)") }, follower: nil)
      there.append((followers.add(element), "\(name)"))
    }
  }

  private mutating func remove(where isLeaving: (Int) -> Bool) {
    for (place, follower) in there.enumerated() where isLeaving(place) {
      followers.remove(follower.number)
      // A second removal has no effect.
      followers.remove(follower.number)
    }
    there = there.enumerated().filter { !isLeaving($0.offset) }.map(\.element)
  }

  private func expectAll(_ location: SourceLocation = #_sourceLocation) {
    let before = visits.all.count
    followers.forEach { $0.wake() }
    #expect(visits.all.dropFirst(before) == there.map(\.name)[...], sourceLocation: location)
    #expect(followers.count == there.count, sourceLocation: location)
    #expect(followers.isEmpty == there.isEmpty, sourceLocation: location)
  }

  @Test mutating func `are visited in the order of joining, without those that have left`() {
    expectAll()
    add(0..<100)
    expectAll()
    remove { $0 % 3 == 0 }
    expectAll()
    add(100..<130)
    expectAll()
    // More than half have left: the remaining ones are moved together.
    remove { $0 % 8 != 5 }
    expectAll()
    add(130..<140)
    remove { $0 < 4 }
    expectAll()
    remove { _ in true }
    expectAll()
    add(140..<142)
    expectAll()
  }
}
