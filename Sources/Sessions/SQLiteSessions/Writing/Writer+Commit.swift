import FusionSessions

/// What came of changes that were committed together.
struct CommitResult {
  /// Of each change, in their order.
  var results: [StoreError?]
  /// How many log entries were in them.
  var entries = 0
  /// Whether the commit failed, and with it all of its changes.
  var hasFailed = false
}

extension Writer {
  /// Commits all that can be of some changes at once, and says what came of each.
  ///
  /// Those that are refused, or that meet damage, leave the others alone; where the commit fails, all do.
  func commit(_ changes: [StoreChange]) -> CommitResult {
    let results: [StoreError?]
    let entries: Int
    do throws(DatabaseError) {
      var positions = try current()
      // There is one copy of it, and it is what the database holds only after the commit.
      self.positions = nil
      let before = positions.last
      results = try apply(changes, &positions)
      entries = Int(positions.last - before)
      do throws(DatabaseError) {
        try database.run("COMMIT")
        growth = (entries, max(0, positions.growth))
        logSize.add(positions.growth)
        positions.committed()
        self.positions = positions
      } catch {
        rollBack()
        return failure(error.storeErrorOfCommit, of: changes)
      }
    } catch {
      rollBack()
      return failure(error.storeError, of: changes)
    }
    return CommitResult(results: results, entries: entries)
  }

  private func failure(_ error: StoreError, of changes: [StoreChange]) -> CommitResult {
    CommitResult(results: Array(repeating: error, count: changes.count), hasFailed: true)
  }

  /// Begins a transaction and executes changes in it.
  ///
  /// A savepoint would cost each change 0.7 to 0.9 us of the 2 to 4 that it takes in a group. So they are
  /// used only where a change has met a fault that may be its own.
  private func apply(
    _ changes: [StoreChange],
    _ positions: inout LogIndex
  ) throws(DatabaseError) -> [StoreError?] {
    let start = positions.savepoint
    do throws(DatabaseError) {
      try database.run("BEGIN IMMEDIATE")
      var results: [StoreError?] = []
      for change in changes { results.append(try apply(change, &positions)) }
      return results
    } catch {
      guard error.isLocal else { throw error }
      rollBack()
      positions.undo(to: start)
    }
    return try applyApart(changes, &positions)
  }

  /// Executes changes, each within a savepoint of its own.
  private func applyApart(
    _ changes: [StoreChange],
    _ positions: inout LogIndex
  ) throws(DatabaseError) -> [StoreError?] {
    let start = positions.savepoint
    // Where a read fails, SQLite rolls back everything: then it is begun anew without that change.
    var leftOut: [Int: StoreError] = [:]
    while true {
      try database.run("BEGIN IMMEDIATE")
      var results: [StoreError?] = []
      for (place, change) in changes.enumerated() {
        if let error = leftOut[place] {
          results.append(error)
          continue
        }
        let savepoint = positions.savepoint
        do throws(DatabaseError) {
          try database.run("SAVEPOINT change")
          results.append(try apply(change, &positions))
        } catch {
          guard error.isLocal, leftOut.count < 8 else { throw error }
          results.append(error.storeError)
          guard database.isInTransaction else {
            leftOut[place] = error.storeError
            break
          }
          try database.run("ROLLBACK TO change")
          positions.undo(to: savepoint)
        }
        try database.run("RELEASE change")
      }
      if database.isInTransaction { return results }
      positions.undo(to: start)
    }
  }
}
