import FusionSessions
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
    case .unfit(let id, .tooLarge(let limit)):
      warning(
        "a turn was taken back: its State would be larger than --max-state",
        ("session", id.redacted),
        ("max-state", "\(limit)")
      )
    case .unfit(let id, .notWritable(let member, let reason)):
      self.error(
        "a turn was taken back: its State cannot be written as JSON",
        ("session", id.redacted),
        ("member", member ?? ""),
        ("error", reason)
      )
    case .restored(let id, let viewModel):
      debug("session restored", ("session", id.redacted), ("viewModel", viewModel))
    case .wokeInterrupted(let count, let failed):
      info(
        "sessions that were interrupted at work were woken",
        ("sessions", "\(count)"),
        ("failed", "\(failed)")
      )
    case .interruptedUnknown(let error):
      self.error(
        "cannot list the sessions that were interrupted at work: each goes on at its next request",
        ("error", error.text)
      )
    case .unreadable(let id, let viewModel, let error):
      self.error(
        "a stored session cannot be read, and stays as it is",
        ("session", id.redacted),
        ("viewModel", viewModel),
        ("error", "\(error)")
      )
    case .lacking(let viewModel, let members):
      warning(
        "stored States lack members that State has now: they are read with those of a fresh State",
        ("viewModel", viewModel),
        ("members", members.joined(separator: ", "))
      )
    case .damaged(let id, let error):
      self.error(
        "a stored session is damaged, and stays as it is",
        ("session", id.redacted),
        ("error", error.text)
      )
    case .lost(let id, let error):
      warning(
        "a commit failed: the session went back to what is stored",
        ("session", id.redacted),
        ("error", error.text)
      )
    case .storeFailed(let error): warning("the store does not work", ("error", error.text))
    case .storeHangs: warning("the store has not answered for 5 seconds")
    case .storeRecovered: info("the store works again")
    case .putToSleep(let count):
      debug("idle sessions were put to sleep", ("sessions", "\(count)"))
    case .calendarSet(let step):
      warning("the system clock was set: stored times are adjusted", ("by", "\(step)"))
    case .gapDistrusted(let gap):
      warning(
        "no session was used for longer than --session-ttl: the service was down, or the clock is wrong; "
          + "all sessions are kept for another --session-ttl",
        ("gap", "\(gap)")
      )
    case .joined(let node):
      info("joined the nodes of this store", ("node", "\(node.number)"), ("name", node.name))
    case .leaseSilenced:
      warning(
        "the store has not renewed this node's lease: no session is answered for until it does"
      )
    case .leaseRestored: info("the lease was renewed in time: sessions are answered for again")
    case .leaseLost:
      warning(
        "this node's lease has run out: its sessions may be at other nodes, and are read anew"
      )
    case .acquired(let id): debug("session acquired", ("session", id.redacted))
    case .fenced(let id):
      warning("another node may have the session: it is let go of", ("session", id.redacted))
    }
  }
}
