import FusionSessions
import Testing

@testable import FusionPostgreSQLSessions

@Suite struct `The dependency queue` {
  @Test func `starts an item once, after an item that shares several sessions with it`() throws {
    var queue = DependencyQueue<String>()
    let added = [queue.add("first", of: ids(1, 2)), queue.add("second", of: ids(1, 2))]
    #expect(added.map { $0?.work } == ["first", nil])
    let next = queue.finish(try #require(added[0]))
    #expect(next.map(\.work) == ["second"])
    for item in next { #expect(queue.finish(item).isEmpty) }
    #expect(queue.count == 0)
  }

  @Test func `starts an item after all items that share a session with it`() throws {
    var queue = DependencyQueue<String>()
    let added = [queue.add("first", of: ids(1, 2)), queue.add("second", of: ids(3))]
    #expect(queue.add("third", of: ids(1, 2, 3)) == nil)
    #expect(queue.finish(try #require(added[0])).isEmpty)
    #expect(queue.finish(try #require(added[1])).map(\.work) == ["third"])
  }

  private func ids(_ numbers: UInt64...) -> [SessionID] { numbers.map { .number($0) } }
}
