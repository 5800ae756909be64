/// How a node divides its open files.
///
/// A client that waits for what another node has takes one here, one on the way there, and one there. Without an open
/// file the process cannot go on, so none of these may take those of the others.
enum OpenFileShares {
  static let ofClients = 0.75
  static let fromNodes = 0.125
  static let toNodes = 0.125
}
