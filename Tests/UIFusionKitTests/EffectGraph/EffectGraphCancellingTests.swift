import Testing

@testable import UIFusionKit

struct `A graph that cancels` {
  private var bench = Bench()

  @Test mutating func `stops running work and drops queued work with the id`() {
    _ = bench.deliver(.work("x"))
    _ = bench.deliver(.work("x", .queue(limit: 1)))
    #expect(bench.deliver(.cancel(id: "x")) == ["settled 2", "stop a", "settled 1", "settled 3"])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `ends a whole group, and all groups within it`() {
    let group = Bench.Effect.concurrent(.work(), .merge(.work("y"), .work()))
    _ = bench.deliver(.throttle(id: "x", for: .seconds(1), latest: true, group))
    #expect(bench.deliver(.cancel(id: "x")).filter { $0.hasPrefix("start") } == [])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `continues the group of a cancelled child`() {
    _ = bench.deliver(.merge(.work("x"), .work()))
    #expect(bench.deliver(.cancel(id: "x")) == ["stop a", "start b", "settled 2"])
  }

  @Test mutating func `spares an effect that starts only because others end`() {
    _ = bench.deliver(.work("x"))
    _ = bench.deliver(.merge(.work("x", .queue(limit: 1)), .work("x")))
    _ = bench.deliver(.cancel(id: "x"))
    #expect(bench.isLive("b"))
    #expect(!bench.isLive("a"))
  }

  @Test mutating func `also replaces the work that a replaced effect's group would start next`() {
    _ = bench.deliver(.merge(.work("x"), .work("x"), .work()))
    _ = bench.deliver(.work("x"))
    #expect(["a", "b", "c", "d"].map { bench.isLive($0) } == [false, false, true, true])
  }

  @Test mutating func `starts nothing in a group that has ended meanwhile`() {
    // Replacing the first effect continues its merge, which cancels the group that the new effect is in.
    _ = bench.deliver(.merge(.work("x"), .cancel(id: "g")))
    _ = bench.deliver(.debounce(id: "g", for: .seconds(1), .work("x")))
    #expect(bench.end("b") == ["stop a", "settled 1", "settled 2"])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `from within the cancelled group starts no more of that group`() {
    let group = Bench.Effect.concurrent(.work(), .cancel(id: "g"), .work())
    _ = bench.deliver(.debounce(id: "g", for: .seconds(1), group))
    #expect(bench.end("a") == ["start b", "stop b", "settled 1"])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `drops the action that a throttle holds back`() {
    let throttle = Bench.Effect.throttle(id: "x", for: .seconds(1), latest: true, .action("z"))
    _ = bench.deliver(throttle)
    _ = bench.deliver(throttle)
    #expect(bench.deliver(.cancel(id: "x")) == ["stop a", "settled 2", "settled 3"])
    #expect(bench.end("a") == [])
  }

  @Test mutating func `by batch ends all that the batch started, and nothing else`() {
    let throttle = Bench.Effect.throttle(id: "t", for: .seconds(1), latest: true, .work())
    _ = bench.deliver(throttle, .work("x"))
    _ = bench.deliver(throttle, .work("x", .queue(limit: 1)), .merge(.work(), .work()))
    #expect(bench.cancel(batch: 2).suffix(2) == ["stop d", "settled 2"])
    #expect(["a", "b", "c"].allSatisfy { bench.isLive($0) })
    #expect(bench.end("a") == [])
    #expect(bench.end("b") == [])
    #expect(bench.end("c") == ["settled 1"])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `ignores the later end of cancelled work`() {
    _ = bench.deliver(.work("x"))
    _ = bench.deliver(.cancel(id: "x"), .work("x"))
    #expect(bench.end("a") == [])
    #expect(bench.isLive("b"))
    #expect(bench.end("b") == ["settled 2"])
  }
}
