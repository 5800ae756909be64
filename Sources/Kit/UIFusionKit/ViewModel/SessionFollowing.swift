/// A view model that follows other hosted sessions: their States come as its actions.
///
/// ```swift
/// struct Seat: ReducerViewModel, SessionFollowing {
///   var following: [Following<Action>] {
///     [Following(.id(state.board), as: Board.State.self, ended: .closed) { .boardChanged($0) }]
///   }
/// ```
///
/// What is followed is a function of State, and so outlives what State outlives: after a crash, a deploy or a sleep
/// each session is followed again, and its newest State comes first.
public protocol SessionFollowing: ViewModel {
  /// The sessions to follow in the current State, of which the first 1,000 are followed.
  ///
  /// The engine asks after each turn that changes State. What is new is followed once the turn is committed; of what is
  /// missing nothing comes any more. The newest State surely comes, and never an older one behind it; a follower that is
  /// busy skips those between. A follower that nobody uses may sleep, and then follows nothing; one that is awake keeps
  /// what it follows awake. In process, where there is no other session, nothing is followed.
  var following: [Following<Action>] { get }
}
