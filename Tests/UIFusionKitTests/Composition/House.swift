import UIFusionKit

/// A child that ticks, loads, fails, and asks to be closed.
struct Room: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable { case start, stop, load, throttle, fail, close }
  enum Action: Equatable, Sendable {
    case start, stop, tick, load, loaded, throttle, throttled, fail, failed(String), close,
      closeSoon
  }
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id = 0
    var ticks = 0
    var text = ""
  }
  enum EffectName { case clock, load, throttle }

  var state = State()
  let time: any TimeSource
  var begins = false

  func started() -> [Action] { begins ? [.load] : [] }

  func restored(_ interrupted: Interrupted) -> [Action] {
    interrupted.contains(EffectName.load) ? [.failed("load of \(state.id)")] : []
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .start: [.start]
    case .stop: [.stop]
    case .load: [.load]
    case .throttle: [.throttle]
    case .fail: [.fail]
    case .close: [.close]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start: return [.timer(id: EffectName.clock, every: .seconds(1), action: .tick)]
    case .stop: return [.cancel(id: EffectName.clock)]
    case .tick: state.ticks += 1
    case .load:
      return [
        .runAction(id: EffectName.load) { [time] in
          try await time.sleep(for: .milliseconds(1500))
          return .loaded
        }
      ]
    case .loaded: state.text = "loaded"
    case .throttle:
      return [
        .throttle(
          id: EffectName.throttle,
          for: .seconds(1),
          latest: true,
          .action(.throttled)
        )
      ]
    case .throttled: state.text += "!"
    case .fail: return [.run { _ in throw Failure() }]
    case .failed(let what): state.text = "failed: \(what)"
    case .close: return [.dismiss]
    case .closeSoon: return [.merge(.sleepThen(for: .seconds(1), action: .tick), .dismiss)]
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] {
    state.text == "careless" ? [] : [.failed("\(state.id)")]
  }

  struct Failure: Error {}
}

/// A parent with children of each kind.
struct House: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable {
    case hall(Room.Input), kitchen(Room.Input), guest(Room.Input)
    case rooms(id: Int, input: Room.Input), named(id: String, input: Room.Input)
    case work(Room.Input), sleep(Room.Input)
    case invite(Int?), replace(Int), build(Int), tearDown(Int), rest, reopen(Int), start, stop
  }
  enum Action: Equatable, Sendable {
    case hall(Room.Action), kitchen(Room.Action), guest(Room.Action)
    case rooms(id: Int, action: Room.Action), named(id: String, action: Room.Action)
    case work(Room.Action), sleep(Room.Action)
    case invite(Int?), replace(Int), build(Int), tearDown(Int), rest, start, stop, tick
    case note(String)
  }
  /// An enum that holds a child of one type or another.
  enum Activity: Codable, Equatable, Sendable {
    case work(Room.State), sleep(Room.State)

    var work: Room.State? {
      get { if case .work(let room) = self { room } else { nil } }
      set { if let newValue { self = .work(newValue) } }
    }
    var sleep: Room.State? {
      get { if case .sleep(let room) = self { room } else { nil } }
      set { if let newValue { self = .sleep(newValue) } }
    }
  }
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id = 0
    var hall = Room.State()
    var kitchen = Room.State()
    var guest: Room.State?
    var rooms: IdentifiedArray<Room.State> = []
    var named: [String: Room.State] = [:]
    var activity = Activity.work(Room.State())
    var ticks = 0
    var notes: [String] = []
  }

  var state = State()
  let hall, kitchen, guest, work, sleep: Child<House, Room>
  let rooms: Children<House, Int, Room>
  let named: Children<House, String, Room>

  init(time: any TimeSource, hallTime: (any TimeSource)? = nil) {
    hall = Child(\.hall, Action.hall) { Room(time: hallTime ?? time) }
    kitchen = Child(\.kitchen, Action.kitchen) { Room(time: time) }
    guest = Child(\.guest, Action.guest, dismissed: .invite(nil)) { Room(time: time, begins: true) }
    work = Child(\.activity.work, Action.work) { Room(time: time) }
    sleep = Child(\.activity.sleep, Action.sleep) { Room(time: time) }
    rooms = Children(\.rooms, Action.rooms, dismissed: Action.tearDown) { Room(time: time) }
    named = Children(\.named, Action.named) { Room(time: time) }
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    hall.restored(interrupted, in: state) + kitchen.restored(interrupted, in: state)
      + guest.restored(interrupted, in: state) + rooms.restored(interrupted, in: state)
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .hall(let input): hall.transform(input, in: state)
    case .kitchen(let input): kitchen.transform(input, in: state)
    case .guest(let input): guest.transform(input, in: state)
    case .rooms(let id, let input): rooms[id].transform(input, in: state)
    case .named(let id, let input): named[id].transform(input, in: state)
    case .work(let input): work.transform(input, in: state)
    case .sleep(let input): sleep.transform(input, in: state)
    case .invite(let id): [.invite(id)]
    case .replace(let id): [.replace(id)]
    case .build(let id): [.build(id)]
    case .tearDown(let id): [.tearDown(id)]
    case .rest: [.rest]
    case .reopen(let id): [.tearDown(id), .build(id)]
    case .start: [.start]
    case .stop: [.stop]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .hall(let action): return hall.reduce(&state, action)
    case .kitchen(let action): return kitchen.reduce(&state, action)
    case .guest(let action): return guest.reduce(&state, action)
    case .rooms(let id, let action): return rooms[id].reduce(&state, action)
    case .named(let id, let action): return named[id].reduce(&state, action)
    case .work(let action): return work.reduce(&state, action)
    case .sleep(let action): return sleep.reduce(&state, action)
    case .invite(let id):
      state.guest = id.map { Room.State(id: $0) }
      return guest.start(&state)
    case .replace(let id):
      state.guest = nil
      state.guest = Room.State(id: id)
    case .build(let id): state.rooms[id: id] = Room.State(id: id)
    case .tearDown(let id): state.rooms[id: id] = nil
    case .rest: state.activity = .sleep(Room.State())
    case .start:
      return [.timer(id: Room.EffectName.clock, every: .seconds(1), action: .tick)]
    case .stop: return [.cancel(id: Room.EffectName.clock)]
    case .tick: state.ticks += 1
    case .note(let note): state.notes.append(note)
    }
    return []
  }

  func handleError(_ error: SendableError) -> [Action] { [.note("failed: \(error.typeName)")] }
}
