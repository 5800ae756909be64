/// An Input for another session that waits to be handed over.
///
/// Kept in the form of an alarm, so that stores, tools and limits need to handle alarms only.
package struct Message: Sendable {
  /// The message's number, greater than that of any earlier message of its session.
  package let number: Int64
  package let address: SessionAddress
  /// The Input as JSON; empty if nothing is stored.
  package let input: [UInt8]
  /// The JSON of the action that the sender gets if the message is refused; nil for none.
  package let refusal: [UInt8]?
  /// The Input and the action themselves, if nothing is stored.
  package let values: (input: any Sendable, refusal: (any Sendable)?)?
  /// Whether a foreign Input has caused the message: see ``InputOrigin/isForeign``.
  package let isForeign: Bool
  /// Whether the message answers one of its receiver, which has asked for it by its own message.
  package let isReply: Bool

  package init(
    _ number: Int64,
    to address: SessionAddress,
    _ input: [UInt8],
    ifRefused refusal: [UInt8]? = nil,
    isForeign: Bool = false,
    isReply: Bool = false
  ) {
    (self.number, self.address, self.input, self.refusal) = (number, address, input, refusal)
    (self.isForeign, self.isReply) = (isForeign, isReply)
    values = nil
  }

  init(_ number: Int64, _ request: MessageRequest, isForeign: Bool = false) {
    (self.number, address) = (number, request.address)
    (self.isForeign, isReply) = (isForeign, request.isReply)
    (input, refusal) = (request.input.json ?? [], request.refusal?.json)
    values = request.input.value.map { ($0, request.refusal?.value) }
  }

  /// The name of the message's alarm.
  package var name: AlarmName { AlarmName(message: number) }

  /// The message as an alarm that is always due, so that a sleeping session is woken for it.
  package var alarm: Alarm { Alarm(name, at: 0, packed, values.map { _ in self }) }

  /// Returns the alarm that rings if the message is refused; nil without an action.
  ///
  /// Its name has the reason: no build has to read another form of the action for it.
  /// Always due, as the message was: its session is unsettled until it rings, and the calendar may be set back.
  package func refusalAlarm(because reason: String?) -> Alarm? {
    guard refusal != nil || values?.refusal != nil else { return nil }
    let name = AlarmName(refusalOf: number, because: reason)
    var alarm = Alarm(name, at: 0, refusal ?? [], values?.refusal)
    alarm.isForeign = isForeign
    return alarm
  }
}

extension AlarmName {
  /// A byte that never occurs in UTF-8, and so in no printed id.
  private static let mark: UInt8 = 0xFF

  package init(message number: Int64) {
    self.init(
      bytes: [Self.mark] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    )
  }

  /// The text before the number in the name of a refused message's alarm.
  ///
  /// An id that is printed in this form can only be a deliberate imitation.
  private static let refusalMark = "\u{1}refused "

  private static let digits = 19
  /// The maximum number of bytes of a reason that are kept: stores limit a name (``AlarmBook/nameLimit``).
  private static let longestReason = 600

  /// Creates a name that sorts by the number, as all refusals are due at one time.
  fileprivate init(refusalOf number: Int64, because reason: String?) {
    let digits = "\(number)"
    let padding = String(repeating: "0", count: max(0, Self.digits - digits.utf8.count))
    var room = Self.longestReason
    let kept = reason?.unicodeScalars.prefix { scalar in
      room -= UTF8.width(scalar)
      return room >= 0
    }
    self.init("\(Self.refusalMark)\(padding)\(digits)\(kept.map { " \(String($0))" } ?? "")")
  }

  /// The reason why the message was refused whose action the alarm has; nil if that is not known.
  var refusalReason: String? {
    let rest = bytes.dropFirst(Self.refusalMark.utf8.count + Self.digits)
    guard isRefusal, rest.first == UInt8(ascii: " ") else { return nil }
    return String(decoding: rest.dropFirst(), as: UTF8.self)
  }

  /// The name for logs, traces and people, without a refusal's reason, which may quote State.
  package var shown: AlarmName {
    isRefusal
      ? AlarmName(bytes: Array(bytes.prefix(Self.refusalMark.utf8.count + Self.digits))) : self
  }

  /// Whether the alarm is a message.
  package var isMessage: Bool { bytes.first == Self.mark }

  /// Whether the alarm has the action of a refused message.
  package var isRefusal: Bool { bytes.starts(with: Self.refusalMark.utf8) }

  var messageNumber: Int64? {
    guard isMessage, bytes.count == 9 else { return nil }
    return bytes.dropFirst().reduce(0) { $0 << 8 | Int64($1) }
  }
}

// MARK: Bytes

extension Message {
  private static let foreignMark = UInt8(ascii: "f")
  private static let replyMark = UInt8(ascii: "r")

  /// The encoded parts after a zero byte: a build without messages must not take them for an action.
  ///
  /// A build that does not know foreign messages, or replies, does not know their form, either, and keeps them.
  private var packed: [UInt8] {
    var parts = address.parts
    if isForeign { parts[0].insert(Self.foreignMark, at: 0) }
    if isReply { parts[0].insert(Self.replyMark, at: 0) }
    return [0] + PackedParts.bytes(parts + [input] + (refusal.map { [$0] } ?? []))
  }

  /// Decodes the message of an alarm; nil if this build cannot read it.
  package init?(_ name: AlarmName, _ bytes: [UInt8]) {
    guard let number = name.messageNumber, bytes.first == 0 else { return nil }
    guard var parts = PackedParts.parts(bytes.dropFirst()), parts.count == 4 || parts.count == 5
    else {
      return nil
    }
    let isReply = parts[0].first == Self.replyMark
    if isReply { parts[0].removeFirst() }
    let isForeign = parts[0].first == Self.foreignMark
    if isForeign { parts[0].removeFirst() }
    guard let address = SessionAddress(parts: Array(parts.prefix(3))) else { return nil }
    self.init(
      number,
      to: address,
      parts[3],
      ifRefused: parts.count > 4 ? parts[4] : nil,
      isForeign: isForeign,
      isReply: isReply
    )
  }

  init?(_ alarm: Alarm) {
    if let message = alarm.value as? Message {
      self = message
    } else {
      self.init(alarm.name, alarm.action)
    }
  }
}
