import Synchronization
import UIFusionKit

/// The lines that are stored of a view model's Inputs and actions: written once for each value, where a type has
/// few.
///
/// An enum without associated values is one byte in memory, and so has no more than 256 values. Larger ones are
/// written each time, as are the rare lines: of actions that an effect has sent, and of errors. The type's
/// `encode(to:)` is taken to write a value the same way each time.
final class TraceLines<Model: ViewModel>: Sendable where Model.Input: Encodable {
  private let inputs = ByteTable()
  private let actions = ByteTable()

  /// The line of an event; nil for what the store knows anyway.
  func line(of event: TraceEvent<Model>) -> [UInt8]? {
    switch event {
    case .input(let input): inputs.line(of: input) { event.text }
    case .action(let action, isSent: false): actions.line(of: action) { event.text }
    default: event.text
    }
  }
}

/// A line for each value of one byte.
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
