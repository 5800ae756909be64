import Testing
import UIFusionKit
import UIFusionTesting

struct `A permanent child` {
  private let store = AsyncTestStore { House(time: $0.time) }

  @Test func `changes its part of the parent's State, by an Input and by its effects`() async {
    await store.send(.hall(.load))
    await store.advance(by: .milliseconds(1500))
    await store.receive(.hall(.loaded)) { $0.hall.text = "loaded" }
    await store.finish()
  }

  @Test func `has effect ids of its own, distinct from those of its parent and siblings`() async {
    await store.send(.start)
    await store.send(.hall(.start))
    await store.send(.kitchen(.start))
    await store.advance(by: .seconds(1))
    await store.receive(.tick) { $0.ticks = 1 }
    await store.receive(.hall(.tick)) { $0.hall.ticks = 1 }
    await store.receive(.kitchen(.tick)) { $0.kitchen.ticks = 1 }
    await store.send(.hall(.stop))
    await store.advance(by: .seconds(1))
    await store.receive(.tick) { $0.ticks = 2 }
    await store.receive(.kitchen(.tick)) { $0.kitchen.ticks = 2 }
    await store.send(.stop)
    await store.send(.kitchen(.stop))
    await store.finish()
  }

  @Test func `handles the errors of its effects itself, in its own State`() async {
    await store.send(.hall(.fail))
    await store.receiveError { $0.hall.text = "failed: 0" }
    await store.finish()
  }

  @Test func `leaves an error that it does not handle to its parent`() async throws {
    let careless = House.State(hall: Room.State(text: "careless"))
    let store = try AsyncTestStore(restoring: careless) { House(time: $0.time) }
    await store.send(.hall(.fail))
    await store.receiveError { $0.notes = ["failed: Failure"] }
    await store.finish()
  }

  @Test func `inherits the parent's dependencies, or is given others`() async {
    let slow = TestClock()
    let store = AsyncTestStore { House(time: $0.time, hallTime: slow) }
    await store.send(.hall(.load))
    await store.send(.kitchen(.load))
    await store.advance(by: .seconds(2))
    await store.receive(.kitchen(.loaded)) { $0.kitchen.text = "loaded" }
    await slow.advance(by: .seconds(2))
    await store.receive(.hall(.loaded)) { $0.hall.text = "loaded" }
    await store.finish()
  }

  @Test func `learns after a restart which of its effects were running`() async throws {
    let store = try AsyncTestStore(
      restoring: House.State(),
      interrupted: Interrupted(ids: Room.EffectName.load, within: \House.State.kitchen)
    ) { House(time: $0.time) }
    await store.change { $0.kitchen.text = "failed: load of 0" }
    await store.finish()
  }
}

struct `An optional child` {
  private let store = AsyncTestStore { House(time: $0.time) }

  @Test func `starts when its parent says so`() async {
    await store.send(.invite(1)) { $0.guest = Room.State(id: 1) }
    await store.advance(by: .milliseconds(1500))
    await store.receive(.guest(.loaded)) { $0.guest?.text = "loaded" }
    await store.finish()
  }

  @Test func `cancels its effects when it leaves`() async {
    await store.send(.invite(1)) { $0.guest = Room.State(id: 1) }
    await store.send(.guest(.start))
    await store.send(.invite(nil)) { $0.guest = nil }
    await store.advance(by: .seconds(5))
    await store.finish()
  }

  @Test func `ignores Inputs while it is absent`() async {
    await store.send(.guest(.start))
    await store.advance(by: .seconds(5))
    await store.finish()
  }

  @Test func `leaves no effects to a child with another id that takes its place`() async {
    await store.send(.invite(1)) { $0.guest = Room.State(id: 1) }
    await store.send(.guest(.start))
    await store.advance(by: .seconds(1))
    await store.receive(.guest(.tick)) { $0.guest?.ticks = 1 }
    await store.send(.invite(2)) { $0.guest = Room.State(id: 2) }
    await store.advance(by: .milliseconds(1500))
    await store.receive(.guest(.loaded)) { $0.guest?.text = "loaded" }
    await store.finish()
  }

  @Test
  func `learns after a restart which of its effects were running, and nothing of another child's`()
    async throws
  {
    for id in [5, 6] {
      let store = try AsyncTestStore(
        restoring: House.State(guest: Room.State(id: 5)),
        interrupted: Interrupted(ids: Room.EffectName.load, within: \House.State.guest, id: id)
      ) { House(time: $0.time) }
      if id == 5 { await store.change { $0.guest?.text = "failed: load of 5" } }
      await store.finish()
    }
  }

  @Test func `loses its effects to another one with its id that the parent starts`() async {
    await store.send(.invite(1)) { $0.guest = Room.State(id: 1) }
    await store.send(.guest(.start))
    await store.advance(by: .seconds(1))
    await store.receive(.guest(.tick)) { $0.guest?.ticks = 1 }
    await store.send(.invite(1)) { $0.guest = Room.State(id: 1) }
    await store.advance(by: .milliseconds(1500))
    await store.receive(.guest(.loaded)) { $0.guest?.text = "loaded" }
    await store.finish()
  }

  /// State is a value: the child that was put back looks like one that was changed.
  @Test func `stays the same child if one Action removes it and puts it back, and starts nothing`()
    async
  {
    await store.send(.replace(1)) { $0.guest = Room.State(id: 1) }
    await store.send(.guest(.start))
    await store.send(.guest(.load))
    await store.advance(by: .seconds(1))
    await store.receive(.guest(.tick)) { $0.guest?.ticks = 1 }
    await store.send(.replace(1)) { $0.guest?.ticks = 0 }
    await store.advance(by: .milliseconds(500))
    await store.receive(.guest(.loaded)) { $0.guest?.text = "loaded" }
    await store.send(.replace(2)) { $0.guest = Room.State(id: 2) }
    await store.advance(by: .seconds(5))
    await store.finish()
  }

  @Test func `is another child to the Action after the one that removes it`() async {
    await store.send(.replace(1)) { $0.guest = Room.State(id: 1) }
    await store.send(.guest(.load))
    await store.send(.guest(.close))
    await store.receive(.invite(nil)) { $0.guest = nil }
    await store.send(.replace(1)) { $0.guest = Room.State(id: 1) }
    await store.advance(by: .seconds(5))
    await store.finish()
  }

  @Test func `is removed when it asks for it`() async {
    await store.send(.invite(1)) { $0.guest = Room.State(id: 1) }
    await store.send(.guest(.start))
    await store.send(.guest(.close))
    await store.receive(.invite(nil)) { $0.guest = nil }
    await store.advance(by: .seconds(5))
    await store.finish()
  }

  @Test func `of an enum's case loses its effects when another case takes over`() async {
    await store.send(.work(.start))
    await store.advance(by: .seconds(1))
    await store.receive(.work(.tick)) { $0.activity.work?.ticks = 1 }
    await store.send(.sleep(.start))
    await store.send(.rest) { $0.activity = .sleep(Room.State()) }
    await store.advance(by: .seconds(1))
    await store.send(.work(.start))
    await store.send(.sleep(.load))
    await store.advance(by: .milliseconds(1500))
    await store.receive(.sleep(.loaded)) { $0.activity.sleep?.text = "loaded" }
    await store.finish()
  }
}
