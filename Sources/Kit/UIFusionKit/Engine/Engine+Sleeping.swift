/// An engine that nobody needs for a while.
extension Engine {
  /// Closes where nothing is at work, waits or is owed, and where the owner agrees; true where it did.
  ///
  /// No Input is lost: what comes later is not accepted.
  package func closeIfAtRest(_ mayClose: @Sendable () -> Bool) -> Bool {
    guard turns != nil, turn.isEmpty, tasks.isEmpty, inputWork.isEmpty, actions.isEmpty,
      processed.isEmpty, graph.isIdle, mayClose(), mailbox.closeIfEmpty()
    else { return false }
    shutDown()
    return true
  }
}
