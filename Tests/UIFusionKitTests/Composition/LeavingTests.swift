import Testing
import UIFusionKit
import UIFusionTesting

private struct Guest: ReducerViewModel {
  enum Act: Equatable, Codable, Sendable { case load, loaded, save, saved }
  enum Name { case load, save }
  struct State: Codable, Equatable, Sendable { var text = "" }

  var state = State()
  let time: any TimeSource

  func transform(_ input: Act) -> [Act] { [input] }
  func reduce(state: inout State, action: Act) -> [AsyncEffect<Act>] {
    switch action {
    case .load:
      return [.sleepThen(id: Name.load, for: .seconds(1), action: .loaded)]
    case .save:
      let run = AsyncEffect<Act>.run(id: Name.save, policy: .queue(limit: 9)) { [time] _ in
        try await time.sleep(for: .seconds(1))
      }
      return [.merge(run, .action(.saved))]
    case .loaded, .saved: state.text += "\(action) "
    }
    return []
  }
}

private struct Hotel: ReducerViewModel {
  enum Act: Equatable, Codable, Sendable {
    case guests(id: Int, action: Guest.Act), loadLater(Int), noted, invite(Int), remove(Int)
  }
  struct State: Codable, Equatable, Sendable { var guests: [Int: Guest.State] = [1: .init()] }

  var state = State()
  let guests: Children<Hotel, Int, Guest>

  init(time: any TimeSource) {
    guests = Children(\.guests, { .guests(id: $0, action: $1) }) { Guest(time: time) }
  }

  func transform(_ input: Act) -> [Act] { [input] }
  func reduce(state: inout State, action: Act) -> [AsyncEffect<Act>] {
    switch action {
    case .guests(let id, let action): return guests[id].reduce(&state, action)
    case .loadLater(let id):
      let first = AsyncEffect<Act>.sleepThen(for: .seconds(1), action: .noted)
      return [.merge([first] + guests[id].reduce(&state, .load))]
    case .noted: break
    case .invite(let id): state.guests[id] = Guest.State()
    case .remove(let id): state.guests[id] = nil
    }
    return []
  }
}

struct `A removed child` {
  private let store = AsyncTestStore { Hotel(time: $0.time) }

  private func replaceGuest() async {
    await store.send(.remove(1)) { $0.guests = [:] }
    await store.send(.invite(1)) { $0.guests = [1: Guest.State()] }
  }

  @Test func `cancels an effect that would start after one of its parent's`() async {
    await store.send(.loadLater(1))
    await store.advance(by: .milliseconds(500))
    await replaceGuest()
    await store.advance(by: .milliseconds(500))
    await store.receive(.noted)
    await store.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func `cancels an action that would be sent after a queued effect`() async {
    await store.send(.guests(id: 1, action: .save))
    await store.send(.guests(id: 1, action: .save))
    await replaceGuest()
    await store.advance(by: .seconds(3))
    await store.finish()
  }
}

struct `An array searched by ids` {
  private struct Row: Codable, Equatable, Identifiable {
    var id: Int
    var text = ""
  }

  @Test func `finds an element whose id has changed by its new id`() throws {
    var rows: IdentifiedArray<Row> = [Row(id: 1), Row(id: 2)]
    #expect(rows.modify(2) { $0 = Row(id: 7, text: "new") })
    #expect(rows[id: 2] == nil)
    #expect(rows[id: 7]?.text == "new")
    #expect(rows.ids == [1, 7])
  }

  @Test func `keeps only the first of two elements that get the same id`() throws {
    var rows: IdentifiedArray<Row> = [Row(id: 1, text: "first"), Row(id: 2)]
    #expect(rows.modify(2) { $0.id = 1 })
    #expect(Array(rows) == [Row(id: 1, text: "first")])
  }
}
