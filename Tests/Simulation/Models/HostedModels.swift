import FusionSessions
import UIFusionKit
import UIFusionServer

/// Returns the view models of the simulation, as a process of the new or the old deployment hosts them.
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

  /// The view models of most schedules.
  static let usual = allCases.filter { $0 != .team }

  /// Whether an Input is one turn, whose change is stored at once.
  var isSynchronous: Bool { isWithoutWork || self == .alarm || self == .team }

  /// Whether an Input starts no work, and so is settled with its turn, or with the messages that it sends.
  var isWithoutWork: Bool { self == .tape || self == .book || isCalled }

  /// Whether an alarm or a message may change its State at any time.
  var isCalled: Bool { self == .reminder || self == .courier }

  /// Whether an Input may overlap others.
  var isOverlapping: Bool { self == .slow || self == .relay }
}

/// The members that all of their States have, and those that some have.
struct ShownState: Decodable {
  var items: [Int]
  var pending: Int?
  var rung: [Int]?
  /// The numbers without an alarm, or with a cancelled one.
  var cancelled: [Int]?
  var tally: Team.Tally?
  var workers: [Worker.State]?
  var noted: Int?
  var isTicking: Bool?
  var ticks: Int?
  /// The numbers of overlapping Inputs that are done.
  var late: [Int]?
  var waiting: [Int]?
  var newest: Pulse<Int>?
  var text: String?
  var count: Int?
  var passed: [Courier.Pass]?
  var got: [Courier.Pass]?
  var refused: [Int]?
  var thanks: [Courier.Pass]?
  var followed: String?
  var shown: [Int]?
  var over: [String]?
  var present: [Visitor]?

  /// The numbers of all Inputs that are done.
  var numbers: [Int] { items + (late ?? []) }
}
