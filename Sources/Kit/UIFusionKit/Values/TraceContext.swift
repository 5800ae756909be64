/// The trace that a request belongs to, which services hand on to one another (W3C Trace Context,
/// https://www.w3.org/TR/trace-context/).
///
/// While an Input is processed, and in the effects that it starts, ``current`` is that of the request that
/// has brought it. An effect that asks another service hands it on:
///
/// ```swift
/// request.setValue(TraceContext.current?.traceparent, forHTTPHeaderField: "traceparent")
/// ```
public struct TraceContext: Sendable, Hashable {
  /// What all that one request leads to has in common: 32 hexadecimal digits.
  public let traceID: String
  /// The caller's own part of it: 16 hexadecimal digits.
  public let parentID: String
  /// Whether the caller may have recorded its part.
  public let isSampled: Bool

  /// That of the Input for which this code runs; nil where its request had none, and after a restart.
  @TaskLocal public static var current: TraceContext?

  /// Reads a `traceparent` field (§3.2); nil where it is malformed, and is to be ignored.
  ///
  /// Of a version after 00, what is known of it counts (§4.3).
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

  /// The field's value, in version 00: to be handed on as it came, or with a part of one's own in place of
  /// ``parentID``.
  public var traceparent: String {
    "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")"
  }
}

extension TraceContext {
  /// Runs what belongs to a trace, or to none: whatever the code belongs to that calls this.
  package static func within<Result>(_ trace: TraceContext?, _ body: () -> Result) -> Result {
    if trace == nil, current == nil { return body() }
    return $current.withValue(trace, operation: body)
  }
}

private let dash = UInt8(ascii: "-")

/// Whether all are digits, in lower case (§3.2).
private func isHexadecimal(_ bytes: ArraySlice<UInt8>) -> Bool {
  bytes.allSatisfy { "0123456789abcdef".utf8.contains($0) }
}

private func isID(_ bytes: ArraySlice<UInt8>) -> Bool {
  isHexadecimal(bytes) && bytes.contains { $0 != UInt8(ascii: "0") }
}
