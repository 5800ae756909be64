import Testing

@testable import UIFusionKit

struct `An effect graph` {
  private var bench = Bench()

  @Test mutating func `settles a batch at once if it starts nothing`() {
    #expect(bench.deliver(.none, .merge(), .concurrent(), .cancel(id: "x")) == ["settled 1"])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `settles a batch once its action is processed`() {
    #expect(bench.deliver(.action("x")) == ["process x"])
    #expect(bench.done(for: 1) == ["settled 1"])
  }

  @Test mutating func `settles a batch once its last work ends`() {
    #expect(bench.deliver(.work(), .work()) == ["start a", "start b"])
    #expect(bench.end("a") == [])
    #expect(bench.end("b") == ["settled 1"])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `ignores a repeated end`() {
    _ = bench.deliver(.work(), .work())
    #expect(bench.end("a") == [])
    #expect(bench.end("a") == [])
    #expect(!bench.graph.isSettled)
  }

  @Test
  mutating func `settles a batch without waiting for timers and background work, however nested`() {
    let timer = Bench.Effect.timer(id: "t", every: .seconds(1), action: "tick")
    #expect(bench.deliver(timer) == ["start a", "settled 1"])
    #expect(bench.deliver(.concurrent(.work(background: true))) == ["start b", "settled 2"])
    #expect(bench.deliver(.merge(.work(background: true))) == ["start c", "settled 3"])
    #expect(!bench.graph.isIdle())
  }

  @Test mutating func `starts the steps of a merge one after another`() {
    #expect(bench.deliver(.merge(.work(), .action("x"), .none, .work())) == ["start a"])
    #expect(bench.end("a") == ["process x", "start b"])
    #expect(bench.end("b") == [])
    #expect(bench.done(for: 1) == ["settled 1"])
  }

  @Test mutating func `starts concurrent steps at once, and continues when all have ended`() {
    let crowd = Bench.Effect.concurrent(.work(), .work())
    #expect(bench.deliver(.merge(crowd, .work())) == ["start a", "start b"])
    #expect(bench.end("b") == [])
    #expect(bench.end("a") == ["start c"])
    #expect(bench.end("c") == ["settled 1"])
  }

  @Test mutating func `stops the old work before it starts its replacement`() {
    _ = bench.deliver(.work("x"))
    #expect(bench.deliver(.work("x")) == ["stop a", "settled 1", "start b"])
    #expect(bench.end("a") == [])
    #expect(bench.isLive("b"))
  }

  @Test mutating func `drops an effect with the policy keep while another with its id runs`() {
    _ = bench.deliver(.work("x"))
    #expect(bench.deliver(.work("x", .keep)) == ["settled 2"])
    #expect(bench.end("a") == ["settled 1"])
    #expect(bench.deliver(.work("x", .keep)) == ["start b"])
  }

  @Test mutating func `starts queued effects in order, and drops those beyond the limit`() {
    let queued = Bench.Effect.work("x", .queue(limit: 1))
    _ = bench.deliver(.work("x"))
    #expect(bench.deliver(queued) == [])
    #expect(bench.deliver(queued) == ["settled 3"])
    #expect(bench.end("a") == ["start b", "settled 1"])
    #expect(bench.end("b") == ["settled 2"])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `continues a group only after its queued effect has ended`() {
    _ = bench.deliver(.work("x"))
    _ = bench.deliver(.merge(.work("x", .queue(limit: 1)), .work()))
    #expect(bench.end("a") == ["start b", "settled 1"])
    #expect(bench.end("b") == ["start c"])
  }

  @Test mutating func `starts queued effects inside a group with their own id`() {
    let queued = Bench.Effect.work("x", .queue(limit: 1))
    let group = Bench.Effect.debounce(id: "x", for: .seconds(1), .concurrent(queued, queued))
    #expect(bench.deliver(group) == ["start a"])
    #expect(bench.end("a") == ["start b"])
    #expect(bench.end("b") == ["start c"])
    #expect(bench.end("c") == ["settled 1"])
  }

  @Test mutating func `runs a throttle's window beside the throttled effect`() {
    let throttle = Bench.Effect.throttle(id: "x", for: .seconds(1), latest: true, .work("x"))
    #expect(bench.deliver(throttle) == ["start a", "start b"])
    #expect(bench.end("b") == ["settled 1"])
    #expect(bench.deliver(throttle) == [])
    #expect(bench.deliver(throttle) == ["settled 2"])
    #expect(bench.end("a") == ["start c", "start d"])
    #expect(bench.end("d") == ["settled 3"])
    #expect(bench.end("c") == [])
    #expect(bench.graph.isIdle())
  }

  @Test mutating func `never reuses a number, even after it was cleared`() {
    _ = bench.deliver(.work("x"))
    bench.clear()
    #expect(bench.graph.isIdle())
    #expect(bench.deliver(.work("x")) == ["start b"])
    #expect(!bench.isLive("a"))
    #expect(bench.end("a") == [])
    #expect(bench.isLive("b"))
  }

  @Test mutating func `names running work by its id, if it has one`() {
    _ = bench.deliver(.work("x"), .work(), .sleepThen(id: "y", for: .seconds(1), action: "z"))
    #expect(bench.graph.running == ["the effect x", "an effect without id", "the effect y"])
  }
}

struct `An effect's id` {
  private enum Name { case save }
  private enum Other { case save }

  @Test func `equals one of the same type and value`() {
    #expect(EffectID("a") == EffectID("a"))
    #expect(EffectID(Name.save) != EffectID(Other.save))
    #expect(EffectID(EffectID("a")) == EffectID("a"))
  }

  @Test func `differs from an equal number of another type`() {
    #expect(EffectID(1) != EffectID(1 as UInt8))
  }
}
