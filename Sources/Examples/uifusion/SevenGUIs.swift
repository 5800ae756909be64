import FusionExampleViewModels
import UIFusionKit
import UIFusionServer

extension ViewModelCatalog {
  /// Hosts the 7GUIs, whose pages are in `Public/7guis`.
  mutating func hostSevenGUIs() {
    host("guis-counter", summary: "A number and a button") { _ in ClickCounterViewModel() }
    host("guis-temperature", summary: "Celsius and Fahrenheit, each from the other") { _ in
      TemperatureReactor()
    }
    host("guis-flight", summary: "A flight that is booked only if it can be flown") { _ in
      FlightViewModel()
    }
    host("guis-timer", summary: "A timer whose duration may change while it runs") { _ in
      GaugeViewModel()
    }
    host("guis-crud", summary: "Names to create, filter, update and delete") {
      NamesViewModel(random: $0.random)
    }
    host("guis-circles", summary: "Circles, with undo and redo") { _ in CirclesViewModel() }
    host("guis-cells", summary: "A spreadsheet") { _ in CellsViewModel() }
  }
}
