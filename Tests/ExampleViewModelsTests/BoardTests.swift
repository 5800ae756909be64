import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `A board` {
  private typealias Card = BoardViewModel.Card

  @Test func `adds, moves, removes and restores cards`() async {
    let store = AsyncTestStore(viewModel: BoardViewModel())
    await store.send(.add(text: "Milk", to: "To do")) {
      ($0.columns[0].cards, $0.count) = ([Card(id: 1, text: "Milk")], 1)
    }
    await store.send(.add(text: "Tea", to: "To do")) {
      $0.columns[0].cards.append(Card(id: 2, text: "Tea"))
      $0.count = 2
    }
    await store.send(.move(card: 1, to: "Done")) {
      $0.columns[2].cards = [$0.columns[0].cards.removeFirst()]
    }
    await store.send(.restore(Card(id: 1, text: "Milk"), to: "To do", at: 0)) {
      $0.columns[0].cards.insert($0.columns[2].cards.removeFirst(), at: 0)
    }
    await store.send(.remove(card: 2)) { $0.columns[0].cards.removeLast() }
    await store.send(.move(card: 2, to: "Done"))
    await store.finish()
  }

  @Test func `shows its visitors, named by their identity or by themselves`() async {
    let store = AsyncTestStore(viewModel: BoardViewModel())
    let (ada, guest) = (
      Visitor(id: "i:ada", identity: "ada", name: "Ada"), Visitor(id: "s:1", role: .observer)
    )
    await store.send(.presence(PresenceChange(.joined, [ada, guest]))) {
      $0.visitors = [ada, guest]
    }
    await store.send(.call(person: "s:1", name: "Bob")) { $0.names = ["s:1": "Bob"] }
    await store.send(.call(person: "i:ada", name: "Eve"))
    await store.send(.call(person: "gone", name: "Carl"))
    let people = store.state.derived.people
    #expect(people.map(\.name) == ["Ada", "Bob"] && people.map(\.isIdentified) == [true, false])
    #expect(people.map(\.role) == [.owner, .observer])
    // State is visible to everybody with a link.
    #expect(people.map(\.id) == [nil, "s:1"])
    await store.send(.presence(PresenceChange(.left, [guest]))) {
      $0.visitors = [ada]
      $0.names = [:]
    }
    await store.finish()
  }

  @Test func `does not show an identity's id as its name, and truncates long names`() async {
    let store = AsyncTestStore(viewModel: BoardViewModel())
    let (ada, guest) = (Visitor(id: "i:ada", identity: "ada"), Visitor(id: "s:1"))
    await store.send(.presence(PresenceChange(.joined, [ada, guest]))) {
      $0.visitors = [ada, guest]
    }
    // A single character, with many accents.
    let accents = "e" + String(repeating: "\u{301}", count: 1_000)
    await store.send(.call(person: "s:1", name: accents)) {
      $0.names["s:1"] = "e" + String(repeating: "\u{301}", count: 39)
    }
    let people = store.state.derived.people
    #expect(people.map(\.isIdentified) == [true, false] && people[0].name.isEmpty)
    await store.finish()
  }
}

struct `A seat at a board` {
  private typealias Seat = BoardSeatViewModel
  private let store = AsyncTestStore(viewModel: BoardSeatViewModel())
  private let columns = [
    BoardViewModel.Column(id: "To do", cards: [BoardViewModel.Card(id: 1, text: "Milk")]),
    BoardViewModel.Column(id: "Done"),
  ]

  private func open() async {
    let shown = Seat.Columns(columns: columns)
    await store.send(.open("b")) { $0.board = "b" }
    await store.show(shown, of: .id("b"))
    await store.receive(.shown(shown)) { $0.columns = shown.columns }
  }

  @Test func `follows its board until the board's end`() async {
    await open()
    await store.showEnd(of: .id("b"))
    await store.receive(.closed) { $0 = Seat.State(notice: "The board is gone.") }
    #expect(await store.followed == [])
    await store.finish()
  }

  @Test func `can open a board by its name`() async {
    let shown = Seat.Columns(columns: columns)
    await store.send(.open("@team")) { $0.board = "@team" }
    await store.show(shown, of: .named("team", of: "board"))
    await store.receive(.shown(shown)) { $0.columns = shown.columns }
    await store.send(.add(text: "Tea", to: "Done"))
    await store.expectSent(
      BoardViewModel.Input.add(text: "Tea", to: "Done"),
      to: .named("team", of: "board")
    )
    await store.finish()
  }

  @Test func `sends changes to its board, and undoes them`() async {
    let back = BoardViewModel.Input.restore(
      BoardViewModel.Card(id: 1, text: "Milk"),
      to: "To do",
      at: 0
    )
    await open()
    await store.send(.add(text: "Tea", to: "Done"))
    await store.expectSent(BoardViewModel.Input.add(text: "Tea", to: "Done"), to: .id("b"))
    await store.send(.move(card: 1, to: "Done")) { $0.undo = [back] }
    await store.expectSent(BoardViewModel.Input.move(card: 1, to: "Done"), to: .id("b"))
    await store.send(.remove(card: 1)) { $0.undo = [back, back] }
    await store.expectSent(BoardViewModel.Input.remove(card: 1), to: .id("b"), isRefused: true)
    await store.receive(.refused) { $0.notice = "The board has not taken that." }
    await store.send(.undo) { $0.undo = [back] }
    await store.expectSent(back, to: .id("b"))
    await store.send(.move(card: 7, to: "Done"))
    await store.finish()
  }
}
