/// The shares of a node's open files that clients, requests from nodes and requests to nodes may take.
///
/// A client that waits for another node takes one file here, one for the way there, and one there. Without open
/// files the process cannot go on, so none of the three may use up the others' share.
enum OpenFileShares {
  static let ofClients = 0.75
  static let fromNodes = 0.125
  static let toNodes = 0.125
}
