import Dispatch
package import FusionSessions
import Synchronization

extension SQLiteSessionStore {
  /// Commits a change and waits for it: for tools, which have nothing else to do meanwhile.
  ///
  /// Must not be called by what a store calls.
  package func perform(_ change: StoreChange) throws(StoreError) {
    let answer = Answer()
    commit(change) { error in
      answer.error.withLock { $0 = error }
      answer.isThere.signal()
    }
    answer.isThere.wait()
    if let error = answer.error.withLock({ $0 }) { throw error }
  }

  private final class Answer: Sendable {
    let error = Mutex<StoreError?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }
}
