import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

/// The first five tasks of the 7GUIs, tested against their texts.
struct `Of the 7GUIs` {
  @Test func `the counter begins at 0, and a click adds one`() async {
    let store = AsyncTestStore { _ in ClickCounterViewModel() }
    #expect(store.state.count == 0)
    await store.send(.click) { $0.count = 1 }
    await store.send(.click) { $0.count = 2 }
    await store.finish()
  }

  @Test func `the converter begins empty, and converts in both directions`() async {
    let store = AsyncTestStore { _ in TemperatureReactor() }
    #expect(store.state == TemperatureReactor.State(celsius: "", fahrenheit: ""))
    await store.send(.celsius(" 100 ")) { ($0.celsius, $0.fahrenheit) = (" 100 ", "212") }
    await store.send(.fahrenheit("0")) { ($0.celsius, $0.fahrenheit) = ("-17.78", "0") }
    await store.send(.celsius("-40")) { ($0.celsius, $0.fahrenheit) = ("-40", "-40") }
    await store.finish()
  }

  @Test(arguments: ["", "x", "1,5", "5 C", "inf", "nan"])
  func `the converter does not change the other field without a valid number`(text: String) async {
    let store = AsyncTestStore { _ in TemperatureReactor() }
    await store.send(.celsius("5")) { ($0.celsius, $0.fahrenheit) = ("5", "41") }
    await store.send(.celsius(text)) { $0.celsius = text }
    await store.finish()
  }

  @Test func `the flight booker begins with a one-way flight on a valid date`() async {
    let store = AsyncTestStore { _ in FlightViewModel() }
    #expect(store.state.kind == .oneWay && store.state.departure == store.state.returning)
    #expect(store.state.derived.canBook)
    await store.send(.setDeparture("04.04.2014")) { $0.departure = "04.04.2014" }
    await store.send(.book) { $0.booked = "You have booked a one-way flight on 04.04.2014." }
    await store.send(.setKind(.roundTrip)) {
      $0.kind = .roundTrip
      $0.booked = nil
    }
    await store.send(.book) {
      $0.booked = "You have booked a return flight from 04.04.2014 to 01.04.2027."
    }
    await store.finish()
  }

  @Test(arguments: [
    ("02.01.2027", "01.01.2027", false), ("01.01.2027", "01.01.2027", true),
    ("31.12.2026", "01.01.2027", true), ("30.01.2027", "01.02.2027", true),
  ])
  func `the flight booker refuses a return before the departure`(
    leaves: String,
    returns: String,
    books: Bool
  ) {
    var flight = FlightViewModel()
    flight.send(.setKind(.roundTrip))
    flight.send(.setDeparture(leaves))
    flight.send(.setReturning(returns))
    #expect(flight.state.derived.canBook == books)
    flight.send(.book)
    #expect((flight.state.booked != nil) == books)
  }

  @Test(arguments: [
    "", "1.4.2027", "01.13.2027", "31.04.2027", "29.02.2027", "00.01.2027", "01/04/2027",
    "01.04.27", "+1.04.2027",
  ])
  func `the flight booker reports an invalid date at its field, and books nothing`(day: String) {
    var flight = FlightViewModel()
    flight.send(.setReturning(day))
    #expect(
      flight.state.derived == .init(departureProblem: nil, returningProblem: nil, canBook: true)
    )
    flight.send(.setKind(.roundTrip))
    #expect(flight.state.derived.returningProblem != nil && !flight.state.derived.canBook)
    flight.send(.setDeparture(day))
    flight.send(.setKind(.oneWay))
    #expect(flight.state.derived.departureProblem != nil && !flight.state.derived.canBook)
  }

  @Test func `the flight booker accepts the 29th of February in leap years only`() {
    var flight = FlightViewModel()
    for (year, has) in [("2028", true), ("2100", false), ("2000", true)] {
      flight.send(.setDeparture("29.02.\(year)"))
      #expect(flight.state.derived.canBook == has)
    }
  }

  @Test func `the timer ticks until its duration, and again when the duration grows`() async {
    let store = AsyncTestStore { _ in GaugeViewModel() }
    await store.send(.setDuration(2)) { $0.duration = 2 }
    for elapsed in 1...2 {
      await store.advance(by: .milliseconds(100))
      await store.receive(.tick) { $0.elapsed = elapsed }
    }
    await store.advance(by: .seconds(5))
    await store.send(.setDuration(3)) { $0.duration = 3 }
    await store.advance(by: .milliseconds(100))
    await store.receive(.tick) { $0.elapsed = 3 }
    await store.finish()
  }

  @Test func `the timer does not delay its next tick when the duration changes`() async {
    let store = AsyncTestStore { _ in GaugeViewModel() }
    await store.advance(by: .milliseconds(60))
    await store.send(.setDuration(1)) { $0.duration = 1 }
    await store.advance(by: .milliseconds(40))
    await store.receive(.tick) { $0.elapsed = 1 }
    await store.finish()
  }

  @Test func `the timer stops if the duration falls below the elapsed time, until a reset`() async {
    let store = AsyncTestStore { _ in GaugeViewModel() }
    for elapsed in 1...3 {
      await store.advance(by: .milliseconds(100))
      await store.receive(.tick) { $0.elapsed = elapsed }
    }
    await store.send(.setDuration(2)) { $0.duration = 2 }
    await store.advance(by: .seconds(5))
    await store.send(.reset) { $0.elapsed = 0 }
    for elapsed in 1...2 {
      await store.advance(by: .milliseconds(100))
      await store.receive(.tick) { $0.elapsed = elapsed }
    }
    await store.finish()
  }

  @Test func `the timer continues after an interruption`() async throws {
    let store = try AsyncTestStore(restoring: GaugeViewModel.State(elapsed: 1, duration: 2)) { _ in
      GaugeViewModel()
    }
    await store.advance(by: .milliseconds(100))
    await store.receive(.tick) { $0.elapsed = 2 }
    await store.finish()
  }
}

/// The fifth task of the 7GUIs, tested against its text.
struct `The names of CRUD` {
  private let store = AsyncTestStore({ $0.random = RandomSource(seed: 1) }) {
    NamesViewModel(random: $0.random)
  }

  private var shown: [String] { store.state.derived.shown.map(\.surname) }

  @Test func `are filtered by the beginning of the surname, regardless of case`() async {
    await store.send(.setPrefix("l")) { $0.prefix = "l" }
    #expect(shown == ["Lovelace", "Liskov"])
    await store.send(.setPrefix("ov")) { $0.prefix = "ov" }
    #expect(shown == [])
    await store.finish()
  }

  @Test func `are appended when they are created`() async {
    let id = RandomSource(seed: 1).uuid()
    await store.send(.create(name: "Alan", surname: "Turing")) {
      $0.people.append(.init(id: id, name: "Alan", surname: "Turing"))
    }
    #expect(shown == ["Lovelace", "Liskov", "Hopper", "Turing"])
    await store.finish()
  }

  @Test func `are updated and deleted only while they are selected`() async {
    await store.send(.delete)
    await store.send(.update(name: "A", surname: "B"))
    await store.send(.select(id: "2")) { $0.selectedID = "2" }
    await store.send(.update(name: "B.", surname: "Huberman")) {
      $0.people[1] = .init(id: "2", name: "B.", surname: "Huberman")
    }
    await store.send(.delete) {
      $0.people.remove(at: 1)
      $0.selectedID = nil
    }
    await store.finish()
  }

  @Test func `lose their selection when the filter hides them`() async {
    await store.send(.select(id: "3")) { $0.selectedID = "3" }
    await store.send(.setPrefix("H")) { $0.prefix = "H" }
    await store.send(.setPrefix("L")) {
      $0.prefix = "L"
      $0.selectedID = nil
    }
    await store.send(.select(id: "3"))
    await store.finish()
  }
}
