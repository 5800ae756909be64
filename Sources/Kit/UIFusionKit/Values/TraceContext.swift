/// The distributed trace of a request, which services pass on to each other (W3C Trace Context,
/// https://www.w3.org/TR/trace-context/).
///
/// While an Input is processed, and in the effects that it starts, ``current`` is the trace of the request
/// that brought the Input. An effect that calls another service forwards it:
///
/// ```swift
/// request.setValue(TraceContext.current?.traceparent, forHTTPHeaderField: "traceparent")
/// ```
public struct TraceContext: Sendable, Hashable {
  /// The id of the whole trace: 32 hexadecimal digits.
  public let traceID: String
  /// The id of the caller's span: 16 hexadecimal digits.
  public let parentID: String
  /// Whether the caller may have recorded its span.
  public let isSampled: Bool

  /// The trace of the Input for which this code runs; nil if its request had none, and after a restart.
  @TaskLocal public static var current: TraceContext?

  /// Parses a `traceparent` field (§3.2); returns nil if it is malformed and must be ignored.
  ///
  /// A later version than 00 is parsed as far as its format is known (§4.3).
  public init?(traceparent text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == dash }),
      isHexadecimal(bytes[0..<2]), isHexadecimal(bytes[53..<55]),
      isID(bytes[3..<35]), isID(bytes[36..<52])
    else { return nil }
    let version = String(decoding: bytes[0..<2], as: UTF8.self)
    let isComplete = bytes.count == 55 || (version != "00" && bytes[55] == dash)
    guard version != "ff", isComplete else { return nil }
    traceID = String(decoding: bytes[3..<35], as: UTF8.self)
    parentID = String(decoding: bytes[36..<52], as: UTF8.self)
    // The last bit of the flags.
    isSampled = "13579bdf".utf8.contains(bytes[54])
  }

  /// The value of a `traceparent` field in version 00.
  public var traceparent: String {
    "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")"
  }
}

extension TraceContext {
  /// Runs a function within a trace, or within none, instead of the caller's.
  package static func within<Result>(_ trace: TraceContext?, _ body: () -> Result) -> Result {
    if trace == nil, current == nil { return body() }
    return $current.withValue(trace, operation: body)
  }
}

private let dash = UInt8(ascii: "-")

/// Returns whether all bytes are hexadecimal digits in lower case (§3.2).
private func isHexadecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
  bytes.allSatisfy { "0123456789abcdef".utf8.contains($0) }
}

private func isID(_ bytes: ArraySlice<UInt8>) -> Bool {
  isHexadecimal(bytes) && bytes.contains { $0 != UInt8(ascii: "0") }
}
