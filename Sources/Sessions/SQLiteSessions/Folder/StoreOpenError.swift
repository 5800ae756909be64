/// The reason why a folder's store could not be opened; its description is one sentence that names the place.
package enum StoreOpenError: Error, Equatable, CustomStringConvertible {
  case notAFolder(String)
  /// The folder has no store; thrown to tools only.
  case missing(String)
  /// The folder has a store already.
  case occupied(String)
  /// The path, and the system's reason.
  case unusable(String, String)
  /// Another process holds the folder's lock.
  case inUse(String)
  /// The file, and SQLite's finding.
  case damaged(String, String)
  /// The file is empty; a store's file never is.
  case empty(String)
  /// The file is missing, but its write-ahead log exists.
  case withoutDatabase(String)
  /// The file is another program's database.
  case foreign(String)
  /// The file has an older schema; thrown to tools only, since a service migrates it.
  case older(String)
  /// The file, its schema's version, and the newest version that this program knows.
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
