/// A view model with a rule that says who may use its sessions, and how.
///
/// ```swift
/// extension Bookings: AccessControlled {
///   static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
///     switch use {
///     case .send(.cancelAll), .end:
///       sender?.roles.contains("host") == true ? .allowed : .denied("Only a host may do that.")
///     default: .byDefault
///     }
///   }
/// }
/// ```
///
/// What the rule denies is answered with 403, and nothing is done. The rule only restricts: a session that belongs to an
/// identity stays unknown to all others, and a share's role stays its role.
public protocol AccessControlled: ViewModel {
  /// Decides whether a sender may use a session of the view model.
  ///
  /// Called for each request, perhaps several times, on any thread and any node: fast, and without effects. Whoever may
  /// not read a session may do nothing else with it, and creates none: each use asks for ``SessionUse/read``, too. A batch
  /// is refused whole if one of its Inputs is denied. A message or a following of another session has the id of the
  /// identity that the session belongs to, without name, roles and claims; a session that belongs to nobody asks as nil.
  /// Not called for the program itself, replies, alarms and presence.
  ///
  /// - Parameters:
  ///   - sender: the sender's identity; nil for an anonymous sender, and the anonymous holder of a share.
  ///   - use: the use that is asked for.
  /// - Returns: whether it is allowed.
  static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access

  /// Decides whether a sender may send an Input in the State that it finds.
  ///
  /// Called at the start of the Input's turn, on the session's node, after the rule without State has allowed the
  /// Input: nothing changes State in between, except other work of an ``AsyncViewModel`` or ``AsyncReactor``. Fast,
  /// and without effects. Not called for the program itself, replies, alarms and presence. ``InputSender/session``
  /// is the session that sends the Input, nil for a client. A denied Input changes nothing. In a batch, the Inputs
  /// before it stand, and those after it are dropped; the answer has its index. By default every Input is allowed.
  ///
  /// ```swift
  /// static func access(_ sender: Identity?, sending input: Input, in state: State) -> Access {
  ///   guard case .cancel(let hour) = input, state.bookings[hour] != sender?.id else { return .allowed }
  ///   return .denied("Only whoever booked may cancel.")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - sender: as above.
  ///   - input: the Input.
  ///   - state: the State before the Input.
  /// - Returns: whether it is allowed; ``Access/byDefault`` allows it.
  static func access(_ sender: Identity?, sending input: Input, in state: State) -> Access
}

extension AccessControlled {
  /// Allows every Input.
  public static func access(_ sender: Identity?, sending input: Input, in state: State) -> Access {
    .allowed
  }
}

/// A use of a session that somebody asks for.
public enum SessionUse<Input: Sendable>: Sendable {
  /// To see State, and to follow it.
  case read
  /// To send an Input.
  case send(Input)
  /// To end the session.
  case end
  /// To make, list and revoke shares.
  case share
  /// To create a session that goes on from a version of this one.
  case fork
  /// To read the log of what happens, and stored versions.
  case inspect
}

/// The answer of a view model's rule.
public enum Access: Sendable, Hashable {
  /// The use is allowed.
  case allowed
  /// The use is allowed, except ``SessionUse/end`` of a session that belongs to nobody and that another identity or the
  /// program created.
  case byDefault
  /// The use is refused, with a sentence for the sender.
  case denied(String)
}

/// A view model's rule, with the view model's type erased.
package struct AccessRule: Sendable {
  /// Returns whether a sender may use a session, other than by Inputs.
  package let access: @Sendable (_ sender: Identity?, _ use: SessionUse<Never>) -> Access
  /// Returns the first Input of a batch that a sender may not send, and the sentence for the sender; nil if there is none.
  package let refusal:
    @Sendable (_ sender: Identity?, _ inputs: InputBatch) -> (index: Int, reason: String)?

  package init<Model: AccessControlled>(of model: Model.Type) {
    access = { sender, use in
      switch use {
      case .read: model.access(sender, to: .read)
      case .end: model.access(sender, to: .end)
      case .share: model.access(sender, to: .share)
      case .fork: model.access(sender, to: .fork)
      case .inspect: model.access(sender, to: .inspect)
      }
    }
    refusal = { sender, inputs in
      for (index, input) in (inputs.inputs(of: Model.Input.self) ?? []).enumerated() {
        if case .denied(let reason) = model.access(sender, to: .send(input)) {
          return (index, reason)
        }
      }
      return nil
    }
  }
}
