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

  @Test func `goes on from the cards that it begins with`() {
    let state = BoardViewModel(title: "Party", cards: [["Grill"], [], ["Day"]]).state
    #expect(state.columns.map { $0.cards.map(\.id) } == [[1], [], [2]] && state.count == 2)
  }

  @Test func `moves a card before another one, in its own column, too`() async {
    let store = AsyncTestStore(viewModel: BoardViewModel())
    let cards = (1...3).map { Card(id: $0, text: "\($0)") }
    for card in cards {
      await store.send(.add(text: card.text, to: "Doing")) {
        $0.columns[1].cards.append(card)
        $0.count = card.id
      }
    }
    await store.send(.move(card: 3, to: "Doing", before: 1)) {
      $0.columns[1].cards = [cards[2], cards[0], cards[1]]
    }
    await store.send(.move(card: 3, to: "Doing", before: 2)) {
      $0.columns[1].cards = [cards[0], cards[2], cards[1]]
    }
    await store.send(.move(card: 3, to: "Doing", before: 3))
    // The other card has been removed meanwhile.
    await store.send(.move(card: 1, to: "Done", before: 9)) {
      $0.columns[1].cards.removeFirst()
      $0.columns[2].cards = [cards[0]]
    }
    await store.finish()
  }

  @Test func `takes back only cards that it had, and not too many or too long ones`() async {
    let store = AsyncTestStore(viewModel: BoardViewModel())
    await store.send(.restore(Card(id: 1, text: "Milk"), to: "To do", at: 0))
    await store.send(.restore(Card(id: .max, text: "Milk"), to: "To do", at: 0))
    let long = String(repeating: "x", count: 501)
    for id in 1...200 {
      await store.send(.add(text: long, to: "Done")) {
        $0.columns[2].cards.append(Card(id: id, text: String(long.dropLast())))
        $0.count = id
      }
    }
    await store.send(.add(text: "Tea", to: "Done"))
    await store.send(.remove(card: 7)) { $0.columns[2].cards.remove(at: 6) }
    await store.send(.add(text: "Tea", to: "none")) {
      $0.columns[0].cards = [Card(id: 201, text: "Tea")]
      $0.count = 201
    }
    await store.send(.restore(Card(id: 7, text: "Milk"), to: "Done", at: .min))
    await store.send(.restore(Card(id: 201, text: "Tea"), to: "Done", at: .min)) {
      $0.columns[2].cards.insert($0.columns[0].cards.removeFirst(), at: 0)
    }
    await store.finish()
  }

  @Test func `tells a seat which card it has added`() async {
    let store = AsyncTestStore(viewModel: BoardViewModel())
    await store.send(.add(text: "Milk", to: "Done"), of: "seat") {
      $0.columns[2].cards = [Card(id: 1, text: "Milk")]
      $0.count = 1
    }
    await store.expectSent(BoardSeatViewModel.Input.added(card: 1), to: .id("seat"))
    await store.finish()
  }

  @Test func `shows who sits there, by name and not by the id of the seat`() async {
    let store = AsyncTestStore(viewModel: BoardViewModel())
    await store.send(.sit(name: "Ada"), of: "a") { $0.seats = [.init(session: "a", name: "Ada")] }
    // A single character, with many accents.
    let accents = "e" + String(repeating: "\u{301}", count: 1_000)
    await store.send(.sit(name: accents), of: "b") {
      let name = "e" + String(repeating: "\u{301}", count: 39)
      $0.seats.append(.init(session: "b", name: name))
    }
    await store.send(.sit(name: "Bob"), of: "b") { $0.seats[1].name = "Bob" }
    #expect(store.state.derived.people.map(\.name) == ["Ada", "Bob"])
    // No client has a seat.
    await store.send(.sit(name: "Eve"))
    await store.send(.leave)
    await store.send(.leave, of: "a") { $0.seats.removeFirst() }
    for number in 1...100 {
      await store.send(.sit(name: ""), of: "\(number)") {
        $0.seats = ($0.seats + [.init(session: "\(number)", name: "")]).suffix(100)
      }
    }
    await store.finish()
  }
}

struct `A seat at a board` {
  private typealias Seat = BoardSeatViewModel
  private let team = SessionAddress.named("team", of: "board", shared: true)
  private let store = AsyncTestStore(viewModel: BoardSeatViewModel())
  private let columns = [
    BoardViewModel.Column(id: "To do", cards: [BoardViewModel.Card(id: 1, text: "Milk")]),
    BoardViewModel.Column(id: "Done"),
  ]

  private func open() async {
    let shown = Seat.Columns(columns: columns)
    await store.show(shown, of: team)
    await store.receive(.shown(shown)) { $0.columns = shown.columns }
  }

  @Test func `follows the board that all share, also the next one after its end`() async {
    await open()
    await store.showEnd(of: team)
    await store.receive(.closed) { $0 = Seat.State(notice: "The board is gone.") }
    #expect(await store.followed == [team])
    await store.finish()
  }

  @Test func `may be there before its board`() async {
    await store.showEnd(of: team)
    await store.receive(.closed)
    await open()
    await store.finish()
  }

  @Test func `can open another board, by its id or name`() async {
    let shown = Seat.Columns(columns: columns)
    await store.send(.open("b")) { $0.board = "b" }
    await store.show(shown, of: .id("b"))
    await store.receive(.shown(shown)) { $0.columns = shown.columns }
    await store.send(.open("@mine")) { $0 = Seat.State(board: "@mine") }
    await store.send(.add(text: "Tea", to: "Done"))
    await store.expectSent(
      BoardViewModel.Input.add(text: "Tea", to: "Done"),
      to: .named("mine", of: "board")
    )
    await store.finish()
  }

  @Test func `sends changes to its board, and undoes them step by step`() async {
    let back = BoardViewModel.Input.restore(
      BoardViewModel.Card(id: 1, text: "Milk"),
      to: "To do",
      at: 0
    )
    await open()
    await store.send(.add(text: "Tea", to: "Done"))
    await store.expectSent(BoardViewModel.Input.add(text: "Tea", to: "Done"), to: team)
    await store.send(.added(card: 2)) { $0.undo = [.remove(card: 2)] }
    await store.send(.move(card: 1, to: "Done", before: 2)) { $0.undo.append(back) }
    await store.expectSent(BoardViewModel.Input.move(card: 1, to: "Done", before: 2), to: team)
    await store.send(.remove(card: 1)) { $0.undo.append(back) }
    await store.expectSent(BoardViewModel.Input.remove(card: 1), to: team, isRefused: true)
    await store.receive(.refused()) { $0.notice = "The board has not taken that." }
    await store.send(.undo) {
      $0.undo.removeLast()
      $0.notice = nil
    }
    await store.expectSent(back, to: team)
    await store.send(.undo) { $0.undo.removeLast() }
    await store.expectSent(back, to: team)
    await store.send(.undo) { $0.undo = [] }
    await store.expectSent(BoardViewModel.Input.remove(card: 2), to: team)
    await store.send(.undo)
    await store.send(.move(card: 7, to: "Done"))
    await store.finish()
  }

  @Test func `tells its board who is there`() async {
    await open()
    let visitor = Visitor(id: "x")
    await store.send(.call("Ada")) { $0.name = "Ada" }
    await store.send(.presence(PresenceChange(.joined, [visitor]))) {
      ($0.visitors, $0.isSeated) = ([visitor], true)
    }
    await store.expectSent(BoardViewModel.Input.sit(name: "Ada"), to: team)
    await store.send(.call("Bob")) { $0.name = "Bob" }
    await store.expectSent(BoardViewModel.Input.sit(name: "Bob"), to: team)
    // The next board does not know of them.
    await store.showEnd(of: team)
    await store.receive(.closed) {
      $0 = Seat.State(notice: "The board is gone.", name: "Bob", visitors: [visitor])
    }
    await store.show(Seat.Columns(columns: []), of: team)
    await store.receive(.shown(Seat.Columns(columns: []))) {
      ($0.columns, $0.isSeated) = ([], true)
    }
    await store.expectSent(BoardViewModel.Input.sit(name: "Bob"), to: team)
    await store.send(.open("b")) {
      $0 = Seat.State(board: "b", name: "Bob", visitors: [visitor], isSeated: true)
    }
    await store.expectSent(BoardViewModel.Input.leave, to: team)
    await store.expectSent(BoardViewModel.Input.sit(name: "Bob"), to: .id("b"))
    await store.send(.presence(PresenceChange(.left, [visitor]))) {
      ($0.visitors, $0.isSeated) = ([], false)
    }
    await store.expectSent(BoardViewModel.Input.leave, to: .id("b"))
    await store.finish()
  }

  @Test func `says why its board has not added a card`() async {
    await store.send(.refused("The board is full.")) { $0.notice = "The board is full." }
    await store.finish()
  }

  @Test func `lets only its board answer`() {
    for input in [Seat.Input.added(card: 1), .refused("")] {
      guard case .denied = Seat.access(nil, to: .send(input)) else {
        Issue.record("\(input)")
        continue
      }
    }
  }
}
