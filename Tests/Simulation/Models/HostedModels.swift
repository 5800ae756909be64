import Sessions
import UIFusionKit
import UIFusionServer

/// The view models of the simulation, as a process hosts them.
func hostedViewModels(_ probes: Probes) -> [HostedViewModel] {
  var catalog = ViewModelCatalog()
  catalog.host("tape", summary: "") { _ in Tape(probe: Probe(probes)) }
  catalog.host("alarm", summary: "") { Alarm(time: $0.time, probe: Probe(probes)) }
  catalog.host("slow", summary: "") { Slow(time: $0.time, probe: Probe(probes)) }
  return catalog.viewModels
}

/// What all of their States have, and what some have.
struct ShownState: Decodable {
  var items: [Int]
  var pending: Int?
  var rung: [Int]?
  var noted: Int?
  var isTicking: Bool?
  var ticks: Int?
}
