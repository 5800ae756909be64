/// Why a folder's store could not be opened; its description is one sentence, which names the place.
package enum StoreOpenError: Error, Equatable, CustomStringConvertible {
  case notAFolder(String)
  /// There is no store; only tools mind.
  case missing(String)
  /// There is a store where none may be.
  case occupied(String)
  /// The place, and what the system says.
  case unusable(String, String)
  /// Another process has the folder.
  case inUse(String)
  /// The file, and what is wrong with it.
  case damaged(String, String)
  /// The file has no byte: it was something else once.
  case empty(String)
  /// The file is missing, but not its write-ahead log.
  case withoutDatabase(String)
  /// The file is a database of something else.
  case foreign(String)
  /// The file has an older shape; only tools mind, since a service brings it up to date.
  case older(String)
  /// The file, its number, and the newest one that is known here.
  case newer(String, Int, known: Int)

  package var description: String {
    switch self {
    case .notAFolder(let path): "\(path) is not a folder"
    case .missing(let path): "there are no sessions in \(path)"
    case .occupied(let path): "there are sessions in \(path) already"
    case .unusable(let path, let reason): "\(path) cannot be read and written: \(reason)"
    case .inUse(let path): "another process serves the sessions in \(path)"
    case .damaged(let path, let reason): "\(path) is damaged and was left as it is: \(reason)"
    case .empty(let path):
      "\(path) is empty, which a store never is: put a backup in its place, or delete it to begin anew"
    case .withoutDatabase(let path):
      "\(path) is missing, but \(path)-wal is there: put the two together, or delete it to begin anew"
    case .foreign(let path): "\(path) is not a database of sessions, and was left as it is"
    case .older(let path):
      "\(path) was written by an older version: start the service once, which brings it up to date"
    case .newer(let path, let number, let known):
      "\(path) has format \(number), written by a newer version than this one, which knows \(known)"
    }
  }
}
