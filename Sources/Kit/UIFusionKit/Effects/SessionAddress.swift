/// The address of a hosted session: its id, or its name.
///
/// Messages to one address arrive in order; a session's id and its name are two addresses. Names are compared by their
/// bytes.
public struct SessionAddress: Hashable, Sendable, CustomStringConvertible {
  package enum Form: Sendable {
    case id(String)
    case named(String, viewModel: String, isShared: Bool)
  }

  package let form: Form

  /// The session whose State the action is for that is being performed; nil for other actions.
  @TaskLocal package static var followed: SessionAddress?

  package init(_ form: Form) { self.form = form }

  /// Whether the address is a name among the sessions of the sender's identity.
  package var isOwn: Bool { if case .named(_, _, let isShared) = form { !isShared } else { false } }

  /// Returns the address of the session with an id, such as ``Dependencies/sessionID``.
  public static func id(_ id: String) -> SessionAddress { SessionAddress(.id(id)) }

  /// Returns the address of a hosted view model's session with a name: one that belongs to the sender's
  /// identity, or a shared one.
  public static func named(
    _ name: String,
    of viewModel: String,
    shared isShared: Bool = false
  ) -> SessionAddress {
    SessionAddress(.named(name, viewModel: viewModel, isShared: isShared))
  }

  /// The id, or the names of the view model and the session.
  public var description: String {
    switch form {
    case .id(let id): id
    case .named(let name, let viewModel, let isShared):
      "\(viewModel) \(name)\(isShared ? " (shared)" : "")"
    }
  }
}

extension SessionAddress.Form: Hashable {
  /// The texts, as they are compared.
  private var parts: [ByteString] {
    switch self {
    case .id(let id): [ByteString(id)]
    case .named(let name, let viewModel, let isShared):
      [ByteString(name), ByteString(viewModel), ByteString(isShared ? "shared" : "")]
    }
  }

  package static func == (a: Self, b: Self) -> Bool { a.parts == b.parts }

  package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

/// A view model's request to send a message: an Input for another session, and the action to get if it is
/// refused.
struct MessageRequest: Sendable {
  var address: SessionAddress
  var input: AlarmAction
  var refusal: AlarmAction?
  /// Whether the message answers one of its receiver.
  var isReply = false
}
