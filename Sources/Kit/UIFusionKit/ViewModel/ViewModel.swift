/// What the four patterns share: Inputs come in, Actions follow from them, State is what is seen.
///
/// A view model is written with one of the patterns that refine this protocol, and never conforms to
/// it directly. It supplies functions and a State; mailbox, versions and tasks are the engine's.
///
/// An engine creates the view model inside its own isolation and never lets it out. A view model
/// is therefore plain Swift: a struct, or a class that is not `Sendable`, without locks.
public protocol ViewModel: SendableMetatype {
  /// What a client may ask for.
  associatedtype Input: Sendable
  /// What is done about it.
  associatedtype Action: Sendable
  /// What a client sees: compared after each turn, published when it differs.
  associatedtype State: Equatable & Sendable

  /// The actions with which a new view model begins: a first load, a timer; none unless it says.
  ///
  /// Asked once of a view model, before any Input; changes nothing. One that comes back from the store is
  /// asked for ``restored(_:)`` instead. One that is made for its first State alone, as a description
  /// shows it, is asked as well, and nothing is done about it.
  func started() -> [Action]

  /// The actions with which a view model goes on that comes back from the store; none unless it says.
  ///
  /// Asked once, before any Input. State is what was stored last, but no effect runs, and what
  /// `perform` was doing was cut off: start again what should run, and clear the flags of what
  /// should not.
  func restored(_ interrupted: Interrupted) -> [Action]

  /// The same under a label: implement one of the two.
  func restored(interrupted: Interrupted) -> [Action]

  /// The number of State's shape, to be raised when stored States could not be read any more; 1 unless
  /// the view model says.
  static var stateFormat: Int { get }

  /// A State of today's shape, made of one that an older format has left behind.
  ///
  /// - Throws: what keeps it from being read; the session is then refused, and stays stored as it is.
  static func migrate(_ stored: StoredState, from format: Int) throws -> State

  /// This view model at work. Its pattern supplies it.
  static func turns(of model: Self, reporting: Reporting<Self>) -> Turns
}

extension ViewModel {
  /// No action.
  public func started() -> [Action] { [] }

  /// No action.
  public func restored(_ interrupted: Interrupted) -> [Action] { [] }

  /// The actions of ``restored(_:)``.
  public func restored(interrupted: Interrupted) -> [Action] { restored(interrupted) }

  /// 1.
  public static var stateFormat: Int { 1 }

  /// Refuses all other formats.
  public static func migrate(_ stored: StoredState, from format: Int) throws -> State {
    throw StoredState.UnknownFormat(format: format, current: stateFormat)
  }
}

/// Whether an Input waits for those before it, and whether anybody waits for it.
public enum InputPolicy: Sendable {
  /// Waits until the Inputs before it are done, and keeps those behind it waiting.
  case inOrder
  /// Runs beside others.
  case overlapping
  /// Runs beside others, for as long as it likes: it does not count as unsettled.
  case background
}
