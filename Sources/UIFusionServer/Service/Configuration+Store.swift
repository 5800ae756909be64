import FusionSQLiteSessions
package import FusionSessions

extension Configuration {
  /// The store that it asks for; nil keeps sessions in memory.
  func openStore(
    observe: @escaping @Sendable (SQLiteSessionStore.Commit) -> Void,
    report: @escaping @Sendable (SQLiteSessionStore.Event) -> Void
  ) throws -> SQLiteSessionStore? {
    guard case .folder(let folder) = data, makeSharedStore == nil else { return nil }
    var options = SQLiteSessionStore.Options()
    options.durability = durability == .full ? .full : .relaxed
    options.historyBytes = maxHistory
    options.lockWait = lockWait
    options.vfs = storeVFS
    do {
      return try SQLiteSessionStore(folder: folder, options, observe: observe, report: report)
    } catch {
      throw ServiceError(
        description: "\(error): name another folder with --data, or --data memory"
      )
    }
  }

  /// What the store has at the start.
  func inventory(of store: (any SessionStore)?) throws -> StoreInventory {
    guard let store else { return StoreInventory() }
    do {
      return try store.inventory()
    } catch {
      store.close()
      throw ServiceError(description: "the sessions in \(data) cannot be read: \(error.text)")
    }
  }
}

extension StoreError {
  /// For a person.
  package var text: String {
    switch self {
    case .unreachable(let text), .damaged(let text): text
    case .full, .conflict, .fenced, .inDoubt, .closed: "\(self)"
    }
  }
}

extension SessionStorage: CustomStringConvertible {
  /// As the flag `--data` has it.
  public var description: String {
    switch self {
    case .memory: "memory"
    case .folder(let path): path
    }
  }
}
