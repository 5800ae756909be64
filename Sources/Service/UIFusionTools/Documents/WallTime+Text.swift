import FoundationEssentials
import FusionSessions

extension WallTime {
  /// RFC 3339 in UTC, to the millisecond.
  var text: String {
    // Split in whole numbers: a Date would round.
    let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    let date = Date(timeIntervalSince1970: Double(rest < 0 ? seconds - 1 : seconds))
    let fraction = rest < 0 ? rest + 1000 : rest
    let digits = String("\(1000 + fraction)".dropFirst())
    return date.formatted(Date.ISO8601FormatStyle()).dropLast() + ".\(digits)Z"
  }

  /// Nil for anything but what ``text`` gives.
  init?(text: String) {
    let parts = text.split(separator: ".")
    guard parts.count == 2, parts[1].count == 4, let fraction = Int64(parts[1].dropLast()),
      let date = try? Date.ISO8601FormatStyle().parse(parts[0] + "Z")
    else { return nil }
    self.init(milliseconds: Int64(date.timeIntervalSince1970) * 1000 + fraction)
    guard self.text == text else { return nil }
  }

  /// This moment.
  static var now: WallTime {
    WallTime(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1000))
  }
}
