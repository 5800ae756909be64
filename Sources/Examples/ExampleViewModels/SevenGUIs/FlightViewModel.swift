import UIFusionKit

/// The third of the 7GUIs, Flight Booker: what may be booked follows from three fields (the synchronous pattern).
package struct FlightViewModel: ViewModelProtocol {
  package var state = State()

  package init() {}

  /// The state that clients see, with the constraints as derived members.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var kind = Kind.oneWay
    package var departure = "01.04.2027"
    package var returning = "01.04.2027"
    /// The booking as a sentence.
    package var booked: String?

    /// The members that follow from the others.
    package struct Derived: Codable, Equatable, Sendable {
      package var departureProblem: String?
      package var returningProblem: String?
      package var canBook: Bool
    }

    package var derived: Derived {
      let leaves = Day(departure)
      let returns = Day(returning)
      let isReturn = kind == .roundTrip
      return Derived(
        departureProblem: leaves == nil ? Day.problem : nil,
        returningProblem: isReturn && returns == nil ? Day.problem : nil,
        canBook: leaves.map { leaves in !isReturn || returns.map { $0 >= leaves } ?? false }
          ?? false
      )
    }
  }

  /// The kinds of flight.
  package enum Kind: String, Codable, Sendable { case oneWay, roundTrip }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case setKind(Kind), setDeparture(String), setReturning(String), book
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Sendable {
    case setKind(Kind), setDeparture(String), setReturning(String), book
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .setKind(let kind): [.setKind(kind)]
    case .setDeparture(let text): [.setDeparture(text)]
    case .setReturning(let text): [.setReturning(text)]
    // A page's button is disabled, but a script is not stopped by a disabled button.
    case .book: state.derived.canBook ? [.book] : []
    }
  }

  package mutating func perform(_ action: Action) {
    state.booked = nil
    switch action {
    case .setKind(let kind): state.kind = kind
    case .setDeparture(let text): state.departure = text
    case .setReturning(let text): state.returning = text
    case .book:
      state.booked =
        state.kind == .oneWay
        ? "You have booked a one-way flight on \(state.departure)."
        : "You have booked a return flight from \(state.departure) to \(state.returning)."
    }
  }
}

/// A day as the fields have it: 04.04.2014.
private struct Day: Comparable {
  static let problem = "Write a day like 04.04.2027."
  private let number: Int

  /// Reads a day; nil if the calendar has no such day.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [2, 2, 4],
      parts.allSatisfy({ $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) })
    else { return nil }
    let numbers = parts.compactMap { Int($0) }
    let (day, month, year) = (numbers[0], numbers[1], numbers[2])
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), day >= 1, day <= lengths[month - 1] else { return nil }
    number = (year * 100 + month) * 100 + day
  }

  static func < (one: Day, other: Day) -> Bool { one.number < other.number }
}
