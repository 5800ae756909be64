import Observation
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

struct `The store of a child` {
  private let clock = TestClock()

  private func house() -> Store<House> {
    Store(clock.dependencies) { House(time: $0.time) }
  }

  @Test func `shows the child's State, and sends the child's Inputs to the parent`() async {
    let house = house()
    let hall: Store<Room> = house.scope(\.hall, House.Input.hall)
    hall.send(.load)
    await clock.advance(by: .seconds(2))
    #expect(hall.state.text == "loaded")
    #expect(house.state.hall.text == "loaded")
  }

  @Test func `does not notify its observers of changes elsewhere in the parent`() async {
    let house = house()
    let hall: Store<Room> = house.scope(\.hall, House.Input.hall)
    let seen = Mutex<[Room.State]>([])
    let observation = hall.state { state in seen.withLock { $0.append(state) } }
    house.send(.kitchen(.start), .build(1))
    await clock.advance(by: .seconds(1))
    hall.send(.load)
    await clock.advance(by: .seconds(2))
    #expect(seen.withLock { $0.map(\.text) } == ["", "loaded"])
    observation.stop()
  }

  @Test func `exists only while the child does, and then keeps the child's last State`() async {
    let house = house()
    let away: Store<Room>? = house.scope(\.guest, House.Input.guest)
    #expect(away == nil)
    house.send(.invite(4))
    let guest: Store<Room>? = house.scope(\.guest, House.Input.guest)
    house.send(.invite(nil))
    guest?.send(.load)
    await clock.advance(by: .seconds(2))
    #expect(guest?.state == Room.State(id: 4))
  }

  @Test func `retains the parent's store`() async {
    let hall: Store<Room> = house().scope(\.hall, House.Input.hall)
    hall.send(.load)
    await clock.advance(by: .seconds(2))
    #expect(hall.state.text == "loaded")
  }

  @Test func `closes with the parent's store, and sends nothing afterwards`() async {
    let house = house()
    let hall: Store<Room> = house.scope(\.hall, House.Input.hall)
    let kitchen: Store<Room> = house.scope(\.kitchen, House.Input.kitchen)
    hall.close()
    hall.send(.load)
    await clock.advance(by: .seconds(2))
    #expect(house.state.hall.text.isEmpty)
    house.close()
    var count = 0
    for await _ in kitchen.states { count += 1 }
    #expect(count <= 1)
  }

  @Test @MainActor func `notifies a view when the child appears`() {
    let house = ObservableStore(clock.dependencies) { House(time: $0.time) }
    let changes = Mutex(0)
    withObservationTracking {
      let guest: ObservableStore<Room>? = house.scope(\.guest, House.Input.guest)
      #expect(guest == nil)
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    house.send(.invite(4))
    #expect(changes.withLock { $0 } == 1)
  }

  @Test @MainActor func `for views shows a child that is always there`() async {
    let house = ObservableStore(clock.dependencies) { House(time: $0.time) }
    let hall: ObservableStore<Room> = house.scope(\.hall, House.Input.hall)
    hall.send(.load)
    await clock.advance(by: .seconds(2))
    hall.deliver()
    house.deliver()
    #expect(hall.state.text == "loaded")
    #expect(house.state.hall.text == "loaded")
  }

  @Test @MainActor func `for views is up to date when sending returns`() {
    let house = ObservableStore(clock.dependencies) { House(time: $0.time) }
    let rooms: ObservableStore<House>? = house.scope(\.asItIs, { $0 })
    rooms?.send(.build(1))
    #expect(rooms?.state.rooms.count == 1)
  }
}

extension House.State {
  /// The whole State, for an API that expects a child's.
  fileprivate var asItIs: House.State? { self }
}
