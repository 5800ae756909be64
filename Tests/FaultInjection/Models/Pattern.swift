import UIFusionKit
package import UIFusionServer

/// The four patterns, by the names under which their models are hosted.
package enum Pattern: String, CaseIterable, Sendable {
  case viewModel = "view-model"
  case reducer
  case asyncViewModel = "async-view-model"
  case reactor

  /// Whether an Input is applied completely before it is acknowledged.
  ///
  /// The other patterns may acknowledge an Input while it waits: then only the State shown is acknowledged.
  package var appliesAtOnce: Bool { self == .viewModel || self == .reducer }

  /// Whether an Input has an external effect.
  package var hasEffects: Bool { self != .viewModel }
}

/// The models of all patterns, as a service hosts them.
package func faultCatalog(_ effects: any EffectLog) -> ViewModelCatalog {
  var catalog = ViewModelCatalog()
  for pattern in Pattern.allCases {
    let name = pattern.rawValue
    switch pattern {
    case .viewModel: catalog.host(name, summary: "Adds") { _ in Adding() }
    case .reducer:
      catalog.host(name, summary: "Adds, and rings beside") { _ in Ringing(effects: effects) }
    case .asyncViewModel:
      catalog.host(name, summary: "Rings, and adds then") {
        RingingFirst(time: $0.time, effects: effects)
      }
    case .reactor:
      catalog.host(name, summary: "Rings, and mutates then") {
        RingingReactor(time: $0.time, effects: effects)
      }
    }
  }
  return catalog
}
