import Sessions
import UIFusionKit

extension Log {
  /// Sessions of view models that are not hosted stay stored: they may be, again.
  func report(_ inventory: StoreInventory, hosted catalog: ViewModelCatalog) {
    let names = Set(catalog.viewModels.map(\.name))
    let unhosted = inventory.sessions.filter { !names.contains($0.viewModel) }
    for (name, sessions) in Dictionary(grouping: unhosted, by: \.viewModel).sorted(by: {
      $0.key < $1.key
    }) {
      warning(
        "stored sessions of a view model that is not hosted: they answer 410, and stay stored until they expire",
        ("viewModel", name),
        ("sessions", "\(sessions.count)")
      )
    }
  }

  func report(_ event: SessionHost.Event) {
    switch event {
    case .created(let id, let viewModel):
      debug("session created", ("session", id.redacted), ("viewModel", viewModel))
    case .ended(let id, let end):
      debug("session ended", ("session", id.redacted), ("reason", end.rawValue))
    case .unwritable(let id, let error):
      self.error("state is no JSON", ("session", id.redacted), ("error", "\(error)"))
    case .restored(let id, let viewModel):
      debug("session restored", ("session", id.redacted), ("viewModel", viewModel))
    case .unreadable(let id, let viewModel, let error):
      self.error(
        "a stored session cannot be read, and stays as it is",
        ("session", id.redacted),
        ("viewModel", viewModel),
        ("error", "\(error)")
      )
    case .damaged(let id, let error):
      self.error(
        "a stored session is damaged, and stays as it is",
        ("session", id.redacted),
        ("error", error.text)
      )
    case .lost(let id, let error):
      warning(
        "the store did not take what a session did",
        ("session", id.redacted),
        ("error", "\(error)")
      )
    case .storeFailed(let error): warning("the store does not work", ("error", error.text))
    case .storeRecovered: info("the store works again")
    }
  }
}
