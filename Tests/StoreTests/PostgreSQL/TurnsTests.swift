import FusionSessions
import Testing

@testable import FusionPostgreSQLSessions

/// What of one session waits for what.
@Suite struct `The order of work` {
  @Test func `has a turn come once, after one that shares several sessions with it`() throws {
    var turns = DependencyQueue<String>()
    let added = [turns.add("first", of: ids(1, 2)), turns.add("second", of: ids(1, 2))]
    #expect(added.map { $0?.work } == ["first", nil])
    let next = turns.finish(try #require(added[0]))
    #expect(next.map(\.work) == ["second"])
    for turn in next { #expect(turns.finish(turn).isEmpty) }
    #expect(turns.count == 0)
  }

  @Test func `has a turn come after all that share a session with it`() throws {
    var turns = DependencyQueue<String>()
    let added = [turns.add("first", of: ids(1, 2)), turns.add("second", of: ids(3))]
    #expect(turns.add("third", of: ids(1, 2, 3)) == nil)
    #expect(turns.finish(try #require(added[0])).isEmpty)
    #expect(turns.finish(try #require(added[1])).map(\.work) == ["third"])
  }

  private func ids(_ numbers: UInt64...) -> [SessionID] { numbers.map { .number($0) } }
}
