/// What was probably meant; nil where nothing is within two letters.
func nearest(_ word: some StringProtocol, in words: [String]) -> String? {
  words.min { distance($0, word) < distance($1, word) }.flatMap {
    distance($0, word) <= 2 ? $0 : nil
  }
}

/// How many letters have to be added, dropped or changed (Levenshtein).
private func distance(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let substitution = diagonal + (letter == b[j] ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(substitution, row[j] + 1, diagonal + 1)
    }
  }
  return row[b.count]
}
