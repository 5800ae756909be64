import Synchronization
import UIFusionKit

/// The stored lines of a view model's Inputs and actions, those kept that come again and again.
///
/// A button has no values: where Inputs, or actions, are an enum without any, they are one byte in memory, and
/// there are no more than 256. What has more is written each time.
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
    let byte = withUnsafeBytes(of: value) { $0[0] }
    // Guard: a value of one byte is read, all of which is the value's.
    if let line = lines.withLock({ $0[byte] }) { return line }
    let line = write()
    lines.withLock { $0[byte] = line }
    return line
  }
}
