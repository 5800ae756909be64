extension SessionHost {
  /// Asks the store for the other nodes that are there and have an address; `done` is called once, with nil
  /// where the store does not know, or this node is none.
  package func findOtherNodes(_ done: @escaping @Sendable ([Node]?) -> Void) {
    guard let own = node, let store = store?.shared else { return done(nil) }
    store.living { result in
      // At its own address there was another process before, which may still have a lease.
      done((try? result.get())?.filter { !["", own.address].contains($0.address) })
    }
  }
}
