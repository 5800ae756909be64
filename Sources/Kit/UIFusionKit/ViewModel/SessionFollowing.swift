/// A view model that follows other hosted sessions: it gets their States as actions.
///
/// ```swift
/// struct Seat: ReducerViewModel, SessionFollowing {
///   var following: [Following<Action>] {
///     [Following(.id(state.board), as: Board.State.self, ended: .closed) { .boardChanged($0) }]
///   }
/// ```
///
/// The followed sessions are a function of State, and so survive whatever State survives: after a crash, a
/// deploy or a sleep each session is followed again, beginning with its newest State.
public protocol SessionFollowing: ViewModel {
  /// The sessions to follow in the current State; only the first 1,000 are followed.
  ///
  /// The engine reads this after each turn that changes State. Following starts with the commit of the turn,
  /// and stops when a session is no longer listed. The newest State always arrives, and never an older one
  /// after it; a busy follower skips the States in between. An unused follower may sleep, and then follows
  /// nothing; while awake it keeps the sessions that it follows awake. In process, without other sessions,
  /// nothing is followed.
  var following: [Following<Action>] { get }
}
