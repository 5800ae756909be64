import Synchronization

/// One version of a session's State, as it leaves the service.
package final class Snapshot: Sendable {
  package let version: Int
  /// The State as JSON.
  package let state: [UInt8]
  private let form = Mutex<[UInt8]?>(nil)

  package init(version: Int, state: [UInt8]) {
    self.version = version
    self.state = state
  }

  /// The bytes that all streams send for this version: made for the first, shared by the others.
  package func shared(_ make: (Snapshot) -> [UInt8]) -> [UInt8] {
    form.withLock { form in
      if let form { return form }
      let made = make(self)
      form = made
      return made
    }
  }
}
