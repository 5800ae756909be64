import FusionStrictJSON

private let months = [
  "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

/// Returns the Unix time of a date in a header or a certificate; nil for other texts.
///
/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7, IMF-fixdate), or OpenSSL's
/// `Nov  6 08:49:37 1994 GMT`.
func timestamp(_ text: String) -> Int? {
  var words = text.split(separator: " ").map(String.init)
  if words.count == 6 { words = [words[2], words[1], words[4], words[3], words[5]] }
  guard words.count == 5, words[4] == "GMT", let month = months.firstIndex(of: words[0]) else {
    return nil
  }
  let day = words[1].count == 1 ? "0" + words[1] : words[1]
  let date = "\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(day)T\(words[2])Z"
  return Timestamp(date).map { $0.milliseconds / 1000 }
}
