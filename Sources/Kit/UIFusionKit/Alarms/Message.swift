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

  package init(
    _ number: Int64,
    to address: SessionAddress,
    _ input: [UInt8],
    ifRefused refusal: [UInt8]? = nil
  ) {
    (self.number, self.address, self.input, self.refusal) = (number, address, input, refusal)
    values = nil
  }

  init(_ number: Int64, _ request: MessageRequest) {
    (self.number, address) = (number, request.address)
    (input, refusal) = (request.input.json ?? [], request.refusal?.json)
    values = request.input.value.map { ($0, request.refusal?.value) }
  }

  /// The name of the message's alarm.
  package var name: AlarmName { AlarmName(message: number) }

  /// The message as an alarm that is always due, so that a sleeping session is woken for it.
  package var alarm: Alarm { Alarm(name, at: 0, packed, values.map { _ in self }) }

  /// The alarm that rings if the message is refused; nil without an action.
  func refusalAlarm(at time: Int64) -> Alarm? {
    guard refusal != nil || values?.refusal != nil else { return nil }
    // An id that is printed in this form can only be a deliberate imitation.
    return Alarm(AlarmName("\u{1}refused \(number)"), at: time, refusal ?? [], values?.refusal)
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

  /// Whether the alarm is a message.
  package var isMessage: Bool { bytes.first == Self.mark }

  fileprivate var messageNumber: Int64? {
    guard isMessage, bytes.count == 9 else { return nil }
    return bytes.dropFirst().reduce(0) { $0 << 8 | Int64($1) }
  }
}

// MARK: Bytes

extension Message {
  /// The encoded parts, each with its length, after a zero byte: a build without messages must not take them
  /// for an action.
  private var packed: [UInt8] {
    let (form, name, viewModel) =
      switch address.form {
      case .id(let id): ("i", id, "")
      case .named(let name, let viewModel, let isShared): (isShared ? "s" : "o", name, viewModel)
      }
    let parts = [Array(form.utf8), Array(name.utf8), Array(viewModel.utf8), input]
    return (parts + (refusal.map { [$0] } ?? [])).reduce(into: [0]) { bytes, part in
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: part.count >> (24 - 8 * $0)) } + part
    }
  }

  /// Decodes the message of an alarm; nil if this build cannot read it.
  package init?(_ name: AlarmName, _ bytes: [UInt8]) {
    guard let number = name.messageNumber, bytes.first == 0 else { return nil }
    var (parts, rest): ([[UInt8]], _) = ([], bytes.dropFirst())
    while !rest.isEmpty {
      let count = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard rest.count >= count else { return nil }
      parts.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    guard parts.count == 4 || parts.count == 5 else { return nil }
    let texts = parts.prefix(3).map { String(decoding: $0, as: UTF8.self) }
    let form: SessionAddress.Form
    switch texts[0] {
    case "i": form = .id(texts[1])
    case "o": form = .named(texts[1], viewModel: texts[2], isShared: false)
    case "s": form = .named(texts[1], viewModel: texts[2], isShared: true)
    default: return nil
    }
    self.init(
      number,
      to: SessionAddress(form),
      parts[3],
      ifRefused: parts.count > 4 ? parts[4] : nil
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
