import Testing
import UIFusionKit
import UIFusionTesting

struct `Children of a list` {
  private let store = AsyncTestStore { House(time: $0.time) }

  private func build(_ ids: Int...) async {
    for id in ids { await store.send(.build(id)) { $0.rooms[id: id] = Room.State(id: id) } }
  }

  @Test func `are addressed by their ids, each with effects of its own`() async {
    await build(1, 2)
    await store.send(.rooms(id: 1, input: .start))
    await store.advance(by: .milliseconds(500))
    await store.send(.rooms(id: 2, input: .start))
    await store.advance(by: .milliseconds(500))
    await store.receive(.rooms(id: 1, action: .tick)) { $0.rooms[id: 1]?.ticks = 1 }
    await store.send(.rooms(id: 1, input: .stop))
    await store.advance(by: .milliseconds(500))
    await store.receive(.rooms(id: 2, action: .tick)) { $0.rooms[id: 2]?.ticks = 1 }
    await store.send(.rooms(id: 2, input: .stop))
    await store.finish()
  }

  @Test func `lose their effects when they are removed, and leave those of the others`() async {
    await build(1, 2)
    await store.send(.rooms(id: 1, input: .load))
    await store.send(.rooms(id: 2, input: .load))
    await store.send(.tearDown(1)) { $0.rooms[id: 1] = nil }
    await store.advance(by: .seconds(2))
    await store.receive(.rooms(id: 2, action: .loaded)) { $0.rooms[id: 2]?.text = "loaded" }
    await store.finish()
  }

  @Test func `may have running effects at a test's end if the test names them`() async {
    await build(1, 2)
    for id in [1, 2] { await store.send(.rooms(id: id, input: .start)) }
    await store.send(.start)
    await store.finish(cancelling: Room.EffectName.clock)
  }

  @Test func `leave no effect to a new child with the same id`() async {
    await build(1)
    await store.send(.rooms(id: 1, input: .load))
    await store.send(.tearDown(1)) { $0.rooms[id: 1] = nil }
    await build(1)
    await store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `leave no effect, even if one turn removes a child and adds another with its id`()
    async
  {
    await build(1)
    await store.send(.rooms(id: 1, input: .load))
    await store.send(.reopen(1))
    await store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `leave no action that a throttle holds back`() async {
    await build(1)
    await store.send(.rooms(id: 1, input: .throttle))
    await store.receive(.rooms(id: 1, action: .throttled)) { $0.rooms[id: 1]?.text = "!" }
    await store.send(.rooms(id: 1, input: .throttle))
    await store.send(.tearDown(1)) { $0.rooms[id: 1] = nil }
    await build(1)
    await store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `are removed when they ask for it`() async {
    await build(1, 2)
    await store.send(.rooms(id: 1, input: .close))
    await store.receive(.tearDown(1)) { $0.rooms[id: 1] = nil }
    await store.finish()
  }

  @Test func `handle errors independently`() async {
    await build(1, 2)
    await store.send(.rooms(id: 1, input: .fail))
    await store.receiveError { $0.rooms[id: 1]?.text = "failed: 1" }
    await store.finish()
  }

  @Test func `learn after a restart which effects were running, each only its own`() async throws {
    let store = try AsyncTestStore(
      restoring: House.State(rooms: [Room.State(id: 1), Room.State(id: 2)]),
      interrupted: Interrupted(ids: Room.EffectName.load, within: \House.State.rooms, id: 2)
    ) { House(time: $0.time) }
    await store.change { $0.rooms[id: 2]?.text = "failed: load of 2" }
    await store.finish()
  }

  @Test func `of a dictionary are addressed by their keys`() async throws {
    let store = try AsyncTestStore(restoring: House.State(named: ["a": Room.State()])) {
      House(time: $0.time)
    }
    await store.send(.named(id: "a", input: .load))
    await store.send(.named(id: "b", input: .load))
    await store.advance(by: .seconds(2))
    await store.receive(.named(id: "a", action: .loaded)) { $0.named["a"]?.text = "loaded" }
    await store.finish()
  }
}
