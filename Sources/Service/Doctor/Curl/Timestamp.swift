import Glibc

/// Returns the Unix time of a date in a header or a certificate; nil for other texts.
///
/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7, IMF-fixdate), or OpenSSL's
/// `Nov  6 08:49:37 1994 GMT`.
func timestamp(_ text: String) -> Int? {
  let header = /[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT/
  if let parts = text.wholeMatch(of: header)?.output {
    return seconds(parts.3, parts.2, parts.1, [parts.4, parts.5, parts.6])
  }
  let certificate = /([A-Z][a-z]{2}) +(\d+) (\d\d):(\d\d):(\d\d) (\d{4}) GMT/
  guard let parts = text.wholeMatch(of: certificate)?.output else { return nil }
  return seconds(parts.6, parts.1, parts.2, [parts.3, parts.4, parts.5])
}

private let months = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

private func seconds(
  _ year: Substring,
  _ month: Substring,
  _ day: Substring,
  _ clock: [Substring]
) -> Int? {
  guard let year = Int32(year), let month = months.firstIndex(of: String(month)),
    let day = Int32(day)
  else { return nil }
  let clock = clock.compactMap { Int32($0) }
  guard clock.count == 3 else { return nil }
  var parts = tm()
  parts.tm_year = year - 1900
  parts.tm_mon = Int32(month)
  parts.tm_mday = day
  (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
  return timegm(&parts)
}
