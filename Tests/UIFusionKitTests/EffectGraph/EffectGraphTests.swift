import Testing

@testable import UIFusionKit

struct `A graph` {
  private var bench = Bench()

  @Test mutating func `settles at once what starts nothing`() {
    #expect(bench.deliver(.none, .merge(), .concurrent(), .cancel(id: "x")) == ["settled 1"])
    #expect(bench.graph.isIdle)
  }

  @Test mutating func `holds a batch until its action is done`() {
    #expect(bench.deliver(.action("x")) == ["process x"])
    #expect(bench.done(for: 1) == ["settled 1"])
  }

  @Test mutating func `holds a batch until its last work is over`() {
    #expect(bench.deliver(.work(), .work()) == ["start a", "start b"])
    #expect(bench.end("a") == [])
    #expect(bench.end("b") == ["settled 1"])
    #expect(bench.graph.isIdle)
  }

  @Test mutating func `takes an end that comes twice once`() {
    _ = bench.deliver(.work(), .work())
    #expect(bench.end("a") == [])
    #expect(bench.end("a") == [])
    #expect(!bench.graph.isSettled)
  }

  @Test mutating func `waits neither for timers nor for the background, wherever they stand`() {
    let timer = Bench.Effect.timer(id: "t", every: .seconds(1), action: "tick")
    #expect(bench.deliver(timer) == ["start a", "settled 1"])
    #expect(bench.deliver(.concurrent(.work(background: true))) == ["start b", "settled 2"])
    #expect(bench.deliver(.merge(.work(background: true))) == ["start c", "settled 3"])
    #expect(!bench.graph.isIdle)
  }

  @Test mutating func `starts a merge's steps one after another`() {
    #expect(bench.deliver(.merge(.work(), .action("x"), .none, .work())) == ["start a"])
    #expect(bench.end("a") == ["process x", "start b"])
    #expect(bench.end("b") == [])
    #expect(bench.done(for: 1) == ["settled 1"])
  }

  @Test mutating func `starts concurrent steps at once, and goes on when all are over`() {
    let crowd = Bench.Effect.concurrent(.work(), .work())
    #expect(bench.deliver(.merge(crowd, .work())) == ["start a", "start b"])
    #expect(bench.end("b") == [])
    #expect(bench.end("a") == ["start c"])
    #expect(bench.end("c") == ["settled 1"])
  }

  @Test mutating func `replaces: stops the old before it starts the new`() {
    _ = bench.deliver(.work("x"))
    #expect(bench.deliver(.work("x")) == ["stop a", "settled 1", "start b"])
    #expect(bench.end("a") == [])
    #expect(bench.isLive("b"))
  }

  @Test mutating func `keeps: starts nothing while one is there`() {
    _ = bench.deliver(.work("x"))
    #expect(bench.deliver(.work("x", .keep)) == ["settled 2"])
    #expect(bench.end("a") == ["settled 1"])
    #expect(bench.deliver(.work("x", .keep)) == ["start b"])
  }

  @Test mutating func `queues: starts them in order, up to the limit`() {
    let queued = Bench.Effect.work("x", .queue(limit: 1))
    _ = bench.deliver(.work("x"))
    #expect(bench.deliver(queued) == [])
    #expect(bench.deliver(queued) == ["settled 3"])
    #expect(bench.end("a") == ["start b", "settled 1"])
    #expect(bench.end("b") == ["settled 2"])
    #expect(bench.graph.isIdle)
  }

  @Test mutating func `lets a group wait for what it has in a queue`() {
    _ = bench.deliver(.work("x"))
    _ = bench.deliver(.merge(.work("x", .queue(limit: 1)), .work()))
    #expect(bench.end("a") == ["start b", "settled 1"])
    #expect(bench.end("b") == ["start c"])
  }

  @Test mutating func `starts within a group of its own id what waits there`() {
    let queued = Bench.Effect.work("x", .queue(limit: 1))
    let group = Bench.Effect.debounce(id: "x", for: .seconds(1), .concurrent(queued, queued))
    #expect(bench.deliver(group) == ["start a"])
    #expect(bench.end("a") == ["start b"])
    #expect(bench.end("b") == ["start c"])
    #expect(bench.end("c") == ["settled 1"])
  }

  @Test mutating func `opens a throttle's window beside what it carries out`() {
    let throttle = Bench.Effect.throttle(id: "x", for: .seconds(1), latest: true, .work("x"))
    #expect(bench.deliver(throttle) == ["start a", "start b"])
    #expect(bench.end("b") == ["settled 1"])
    #expect(bench.deliver(throttle) == [])
    #expect(bench.deliver(throttle) == ["settled 2"])
    #expect(bench.end("a") == ["start c", "start d"])
    #expect(bench.end("d") == ["settled 3"])
    #expect(bench.end("c") == [])
    #expect(bench.graph.isIdle)
  }

  @Test mutating func `uses no number twice, even after it was cleared`() {
    _ = bench.deliver(.work("x"))
    bench.clear()
    #expect(bench.graph.isIdle)
    #expect(bench.deliver(.work("x")) == ["start b"])
    #expect(!bench.isLive("a"))
    #expect(bench.end("a") == [])
    #expect(bench.isLive("b"))
  }

  @Test mutating func `names what is running, by id where there is one`() {
    _ = bench.deliver(.work("x"), .work(), .sleepThen(id: "y", for: .seconds(1), action: "z"))
    #expect(bench.graph.running == ["the effect x", "an effect without id", "the effect y"])
  }
}

struct `An effect's id` {
  private enum Name { case save }
  private enum Other { case save }

  @Test func `is the same when value and type are`() {
    #expect(EffectID("a") == EffectID("a"))
    #expect(EffectID(Name.save) != EffectID(Other.save))
    #expect(EffectID(EffectID("a")) == EffectID("a"))
  }

  @Test func `differs where equal numbers are of different types`() {
    #expect(EffectID(1) != EffectID(1 as UInt8))
  }
}
