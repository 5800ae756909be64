extension SessionHost {
  /// Asks the store for the other nodes that are there, also without an address; `done` is called once, with nil
  /// where the store does not know, or this node is none.
  package func findOtherNodes(_ done: @escaping @Sendable ([Node]?) -> Void) {
    guard let own = node, let store = store?.shared else { return done(nil) }
    store.living { result in
      // At its own address there was another process before, which may still have a lease.
      done(
        (try? result.get())?.filter {
          $0.number != own.number && ($0.address.isEmpty || $0.address != own.address)
        }
      )
    }
  }
}
