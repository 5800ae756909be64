import FusionHTTPMessages

/// The text in which a node tells another how a request arrived: words in a row.
extension ConnectionInfo {
  var textBetweenNodes: String {
    var words = isEncrypted ? ["https"] : ["http"]
    if isHTTP11 { words.append("1.1") }
    if isForwarded { words.append("forwarded") }
    if isClientForwarded { words.append("client-forwarded") }
    if let client { words.append("client=\(client.description)") }
    return words.joined(separator: " ")
  }

  /// Reads the text of another node; unknown words are ignored.
  init(betweenNodes text: String) {
    self.init()
    isHTTP11 = false
    for word in text.split(separator: " ") {
      switch word {
      case "https": isEncrypted = true
      case "1.1": isHTTP11 = true
      case "forwarded": isForwarded = true
      case "client-forwarded": isClientForwarded = true
      default:
        if word.hasPrefix("client=") { client = IPAddress(String(word.dropFirst(7))) }
      }
    }
  }
}
