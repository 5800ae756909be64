import FusionSessions
import FusionStrictJSON
import Synchronization
import UIFusionKit

/// The trace lines of a view model's Inputs and actions, encoded once for each value of a small type.
///
/// An enum without associated values is one byte in memory, and so has at most 256 values. Values of larger types
/// are encoded each time, as are the rare lines of sent actions and of errors. The type's `encode(to:)` has to
/// write a value the same way each time.
final class TraceLines<Model: ViewModel>: Sendable where Model.Input: Encodable {
  private let inputs = ByteTable()
  private let actions = ByteTable()

  /// Returns the line of an event; nil for events that the store knows anyway.
  func line(of event: TraceEvent<Model>) -> [UInt8]? {
    switch event {
    case .input(let input): inputs.line(of: input) { event.text }.map(naming)
    case .action(let action, isSent: false): actions.line(of: action) { event.text }
    case .action: event.text.map(explaining)
    default: event.text
    }
  }
}

/// Returns the line of an action with the members `refusal`, the reason why the message was refused that it is of, and
/// `followed`, the session whose State it is for: its name, or the beginning of its id.
private func explaining(_ line: [UInt8]) -> [UInt8] {
  let (reason, followed) = (InputSender.refusal, SessionAddress.followed)
  if reason == nil, followed == nil { return line }
  var line = line
  line.removeLast()
  if let reason {
    line.append(utf8: ",\"refusal\":")
    line.appendLiteral(reason)
  }
  if let followed {
    line.append(utf8: ",\"followed\":")
    line.appendLiteral(followed.redacted)
  }
  line.append(UInt8(ascii: "}"))
  return line
}

/// Returns the line of an Input with the members `sender` and `roles`, where an identity has sent it, and `from`, the
/// beginning of the id of a session that has.
private func naming(_ line: [UInt8]) -> [UInt8] {
  let (identity, session) = (InputSender.identity, InputSender.session)
  if identity == nil, session == nil { return line }
  var line = line
  line.removeLast()
  if let identity { line.append(naming: identity) }
  if let session = session.flatMap({ SessionID($0) }) {
    line.append(utf8: ",\"from\":")
    line.appendLiteral(session.redacted)
  }
  line.append(UInt8(ascii: "}"))
  return line
}

extension [UInt8] {
  fileprivate mutating func append(naming identity: Identity) {
    append(utf8: ",\"sender\":")
    appendLiteral(identity.id)
    guard !identity.roles.isEmpty else { return }
    append(utf8: ",\"roles\":[")
    for (index, role) in identity.roles.sorted().enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      appendLiteral(role)
    }
    append(UInt8(ascii: "]"))
  }
}

/// The lines of a type of one byte, by value.
private final class ByteTable: Sendable {
  private let lines = Mutex<[UInt8: [UInt8]]>([:])

  func line<Value>(of value: Value, _ write: () -> [UInt8]?) -> [UInt8]? {
    guard MemoryLayout<Value>.size == 1 else { return write() }
    // Guard: one byte is read, of a value that has one.
    let byte = withUnsafeBytes(of: value) { $0[0] }
    if let line = lines.withLock({ $0[byte] }) { return line }
    let line = write()
    lines.withLock { $0[byte] = line }
    return line
  }
}

extension TraceEvent where Model.Input: Encodable {
  /// The stored form `{"input":…}`, `{"action":…}` or `{"error":…}`; nil for events that the store knows anyway.
  ///
  /// An Input gets the members that `naming` adds; an action those of `explaining`, and one that an effect or an alarm
  /// sent a member `"sent":true`. An action that is not `Encodable` is printed by Swift into a member `"text"`, and
  /// cannot be replayed.
  var text: [UInt8]? {
    switch self {
    case .input(let input): object("{\"input\":", input)
    case .action(let action, let isSent):
      if let action = action as? any Encodable {
        object("{\"action\":", action, isSent ? sent : "}")
      } else {
        object("{\"text\":", "\(action)", isSent ? sent : "}")
      }
    case .error(let error): object("{\"error\":", "\(error)")
    case .effect, .state, .ended: nil
    }
  }

  private var sent: String { ",\"sent\":true}" }

  private func object(_ start: String, _ value: some Encodable, _ end: String = "}") -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes += start.utf8
    do {
      try StrictJSON.encode(value, for: .traces, into: &bytes)
    } catch {
      return object("{\"unwritable\":", "\(error)")
    }
    bytes += end.utf8
    return bytes
  }
}
