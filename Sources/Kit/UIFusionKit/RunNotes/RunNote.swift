/// A note of the code of a view model that a thread or a task runs, made before it runs: user code may trap.
///
/// A few words without references, so that making a note costs a few stores.
package struct RunNote: Sendable {
  /// The two halves of the session's id; both 0 for no session.
  package var session: (high: UInt64, low: UInt64) = (0, 0)
  /// A number that identifies the view model within this process.
  package var viewModel: UInt = 0
  /// A number that identifies the service within this process; 0 for none, and then nothing is noted.
  package var service: UInt = 0
  package var code = RunningCode.work

  package init() {}
}
