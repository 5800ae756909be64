/// How a node divides its open files: a client that waits for what another node has takes one here, one more on the way
/// there, and one there.
///
/// Without an open file the process cannot go on: so none of these may take those of the others.
enum OpenFileShares {
  static let ofClients = 0.5
  static let fromNodes = 0.25
  static let toNodes = 0.25
}
