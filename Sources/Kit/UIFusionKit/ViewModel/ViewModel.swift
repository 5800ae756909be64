/// A view model: Inputs come in, Actions follow from them, and clients see the State.
///
/// Write a view model with one of the patterns that refine this protocol: ``ViewModelProtocol``,
/// ``AsyncViewModel``, ``ReducerViewModel`` or ``AsyncReactor``. Never conform to this protocol
/// directly. A view model supplies functions and a State; the engine owns mailbox, versions and tasks.
///
/// The engine creates the view model inside its own isolation and never lets it out. A view model
/// is therefore plain Swift: a struct, or a class that is not `Sendable`, without locks.
public protocol ViewModel: SendableMetatype {
  /// A request that a client may send.
  associatedtype Input: Sendable
  /// A step that follows from an Input or an effect.
  associatedtype Action: Sendable
  /// The value that clients see: compared after each turn, and published when it differs.
  associatedtype State: Equatable & Sendable

  /// Returns the actions that a new view model begins with, such as a first load or a timer; none by
  /// default.
  ///
  /// The engine calls this once, before any Input; the function changes nothing. A view model that
  /// comes back from the store gets ``restored(_:)`` instead. A view model that is created only to
  /// describe its first State is asked as well, but its actions are not performed.
  func started() -> [Action]

  /// Returns the actions with which a view model goes on after a restart; none by default.
  ///
  /// The engine calls this once, before any Input. State is what was stored last, but no effect is
  /// running, and a suspended `perform` was cut off. Start again what should run, and clear the flags
  /// of what should not.
  func restored(_ interrupted: Interrupted) -> [Action]

  /// Returns the actions of ``restored(_:)``, under a label: implement one of the two.
  func restored(interrupted: Interrupted) -> [Action]

  /// The format number of State; 1 by default.
  ///
  /// Raise it when a change to State makes stored States unreadable, and implement
  /// ``migrate(_:from:)``.
  static var stateFormat: Int { get }

  /// The members of stored States that State no longer has, and that may be lost; none by default.
  ///
  /// A stored State with any other unknown member is refused. A member within another is written as
  /// `profile.nickname`, one in the elements of a list or a dictionary as `cards.*.color`.
  ///
  /// ```swift
  /// static var droppedMembers: [String] { ["color"] }
  /// ```
  static var droppedMembers: [String] { get }

  /// Returns a State of the current format, made from one that was stored in an older format.
  ///
  /// - Throws: any error if the State cannot be read; the session is then refused and stays stored
  ///   unchanged.
  static func migrate(_ stored: StoredState, from format: Int) throws -> State

  /// Returns the runner of a view model's turns. Each pattern supplies it.
  static func turnRunner(of model: Self, in context: EngineContext<Self>) -> AnyTurnRunner
}

extension ViewModel {
  /// Returns no action.
  public func started() -> [Action] { [] }

  /// Returns no action.
  public func restored(_ interrupted: Interrupted) -> [Action] { [] }

  /// Returns the actions of ``restored(_:)``.
  public func restored(interrupted: Interrupted) -> [Action] { restored(interrupted) }

  /// The first format: 1.
  public static var stateFormat: Int { 1 }

  /// No member.
  public static var droppedMembers: [String] { [] }

  /// Refuses all other formats.
  ///
  /// - Throws: ``StoredState/UnknownFormat``, always.
  public static func migrate(_ stored: StoredState, from format: Int) throws -> State {
    throw StoredState.UnknownFormat(format: format, current: stateFormat)
  }
}

/// The order in which an Input runs relative to others, and whether it counts as unsettled.
public enum InputPolicy: Sendable {
  /// Waits until the Inputs before it are done, and holds back those behind it.
  case inOrder
  /// Runs beside other Inputs.
  case overlapping
  /// Runs beside other Inputs for any length of time, and does not count as unsettled.
  case background
}
