import FoundationEssentials
import Glibc

/// When the files of some folders were changed, to see whether one has been since.
struct FileMarks: Equatable {
  private struct Mark: Equatable {
    let seconds: Int
    let nanoseconds: Int
    let size: Int
  }

  private var marks: [String: Mark] = [:]

  /// Looks at files, and at what is in folders; what is not there counts as nothing.
  init(of paths: [String]) {
    for path in paths {
      mark(path)
      for below in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
        mark("\(path)/\(below)")
      }
    }
  }

  private mutating func mark(_ path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return }
    let time = found.st_mtim
    marks[path] = Mark(
      seconds: time.tv_sec,
      nanoseconds: time.tv_nsec,
      size: Int(found.st_size)
    )
  }
}
