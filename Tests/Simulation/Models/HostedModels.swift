import FusionSessions
import UIFusionKit
import UIFusionServer

/// The view models of the simulation, as a process hosts them: those of a new deployment or, before
/// that, of an old one.
func hostedViewModels(_ probes: Probes, isNewDeployment: Bool) -> [HostedViewModel] {
  var catalog = ViewModelCatalog()
  catalog.host("tape", summary: "") { _ in Tape(probe: Probe(probes)) }
  catalog.host("alarm", summary: "") { Alarm(time: $0.time, probe: Probe(probes)) }
  catalog.host("reminder", summary: "") { Reminder(date: $0.date, probe: Probe(probes)) }
  catalog.host("courier", summary: "") {
    Courier(id: $0.sessionID ?? "", probe: Probe(probes))
  }
  catalog.host("guests", summary: "") { _ in Guests(probe: Probe(probes)) }
  catalog.host("slow", summary: "") { Slow(time: $0.time, probe: Probe(probes)) }
  catalog.host("relay", summary: "") { Relay(time: $0.time, probe: Probe(probes)) }
  catalog.host("team", summary: "") { Team(time: $0.time, probe: Probe(probes)) }
  if isNewDeployment {
    catalog.host("book", summary: "") { _ in Book(probe: Probe(probes)) }
  } else {
    catalog.host("book", summary: "") { _ in OldBook(probe: Probe(probes)) }
  }
  return catalog.viewModels
}

/// A hosted view model, as a client knows it.
enum ModelKind: String, CaseIterable {
  case tape, alarm, slow, relay, book, reminder, courier, team

  /// Those of most schedules.
  static let usual = allCases.filter { $0 != .team }

  /// Whether an Input is one turn: what it changes is stored at once.
  var isSynchronous: Bool { isWithoutWork || self == .alarm || self == .team }

  /// Whether an Input starts nothing, and is settled with its turn.
  var isWithoutWork: Bool { self == .tape || self == .book || isCalled }

  /// Whether an alarm, or a message, may change it at any time.
  var isCalled: Bool { self == .reminder || self == .courier }

  /// Whether an Input may run beside others.
  var isOverlapping: Bool { self == .slow || self == .relay }
}

/// The members that all of their States have, and those that some have.
struct ShownState: Decodable {
  var items: [Int]
  var pending: Int?
  var rung: [Int]?
  /// Numbers without an alarm, or whose alarm was cancelled.
  var cancelled: [Int]?
  var tally: Team.Tally?
  var workers: [Worker.State]?
  var noted: Int?
  var isTicking: Bool?
  var ticks: Int?
  /// Numbers whose Inputs ran beside others.
  var late: [Int]?
  var waiting: [Int]?
  var newest: Pulse<Int>?
  var text: String?
  var count: Int?
  var passed: [Courier.Pass]?
  var got: [Courier.Pass]?
  var refused: [Int]?
  var followed: String?
  var shown: [Int]?
  var over: [String]?
  var present: [Visitor]?

  /// The numbers of all Inputs that are done.
  var numbers: [Int] { items + (late ?? []) }
}
