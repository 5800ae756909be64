import Foundation
import FusionSessions
import Synchronization
import Testing

@testable import FusionSQLiteSessions

@Suite struct `Opening a folder` {
  @Test func `creates it for its owner alone`() throws {
    let parent = try Folder()
    defer { parent.remove() }
    let path = parent.path + "/data"
    let store = try SQLiteSessionStore(folder: path)
    defer { store.close() }
    try store.perform(.create(.new(1)))
    #expect(try permissions(of: path) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(names.contains("sessions.sqlite-wal"))
    for name in names { #expect(try permissions(of: "\(path)/\(name)") == 0o600, "\(name)") }
  }

  @Test func `is refused while another process has it open`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let first = try SQLiteSessionStore(folder: folder.path)
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: folder.path) }
    #expect(error == .inUse(folder.path))
    #expect(error?.description == "another process serves the sessions in \(folder.path)")
    first.close()
    try SQLiteSessionStore(folder: folder.path).close()
  }

  @Test func `waits for the other process if told to, and reports that once`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let first = try SQLiteSessionStore(folder: folder.path)
    var options = SQLiteSessionStore.Options()
    options.lockWait = .seconds(60)
    let events = Mutex<[SQLiteSessionStore.Event]>([])
    let second = try SQLiteSessionStore(
      folder: folder.path,
      options,
      report: { event in
        events.withLock { $0.append(event) }
        first.close()
      }
    )
    second.close()
    #expect(events.withLock { $0 } == [.waitsForLock])
  }

  @Test func `synchronizes the parent folder after creating it`() throws {
    let parent = try Folder()
    defer { parent.remove() }
    let path = parent.path + "/data"
    var synchronized: [String] = []
    for _ in 1...2 {
      _ = try FolderLock(path, synchronize: { synchronized.append($0) })
      #expect(synchronized == ["\(path)/.."])
    }
  }

  @Test(
    arguments: [
      0x6969: "NFS", -0x00AC_B2BE: "CIFS", 0xFF53_4D42: "CIFS", 0x6573_5546: "FUSE",
      // ext4, tmpfs, overlayfs, XFS, Btrfs
      0xEF53: nil, 0x0102_1994: nil, 0x794C_7630: nil, 0x5846_5342: nil, 0x9123_683E: nil,
    ]
  )
  func `reports a remote file system`(type: Int, name: String?) throws {
    let folder = try Folder()
    defer { folder.remove() }
    var options = SQLiteSessionStore.Options()
    options.fileSystemType = { _ in type }
    let events = Mutex<[SQLiteSessionStore.Event]>([])
    let store = try SQLiteSessionStore(
      folder: folder.path,
      options,
      report: { event in events.withLock { $0.append(event) } }
    )
    defer { store.close() }
    #expect(events.withLock { $0 } == (name.map { [.remoteFileSystem($0)] } ?? []))
    #expect(FileSystem.type(of: folder.path) != nil)
  }

  @Test func `is refused if its path is a file`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let path = folder.path + "/file"
    try Data().write(to: URL(filePath: path))
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: path) }
    #expect(error?.description == "\(path) is not a folder")
  }

  // `/proc` is read-only even for root, unlike a folder without permissions.
  @Test(arguments: ["/proc/uifusion", "/proc"])
  func `is refused if nothing can be written`(path: String) throws {
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: path) }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("\(path) cannot be read and written: "))
  }

  @Test func `is refused if its parent is missing`() throws {
    let error = #expect(throws: StoreOpenError.self) {
      try SQLiteSessionStore(folder: "/nowhere/data")
    }
    #expect(
      error?.description
        == "/nowhere/data cannot be read and written: No such file or directory"
    )
  }

  @Test(arguments: Damage.allCases)
  func `is refused if the database is damaged, and changes no byte`(
    damage: Damage
  ) throws {
    let folder = try Folder()
    defer { folder.remove() }
    try fill(folder)
    try damage.apply(to: folder.database)
    let before = try contents(of: folder)
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: folder.path) }
    let text = try #require(error?.description)
    #expect(text.hasPrefix("\(folder.database) is damaged and was left as it is: "), "\(text)")
    #expect(!text.contains("\n"), "\(text)")
    #expect(try contents(of: folder) == before)
  }

  @Test func `is refused if a newer version has written it, and changes no byte`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    try fill(folder)
    try execute("PRAGMA user_version = 7", in: folder.database)
    let before = try contents(of: folder)
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: folder.path) }
    #expect(error == .newer(folder.database, 7, known: 6))
    #expect(throws: StoreOpenError.self) { try SQLiteSessionArchive(folder: folder.path) }
    #expect(try contents(of: folder) == before)
  }

  @Test func `is refused if the database is another program's`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    try execute("CREATE TABLE t (a); PRAGMA user_version = 1", in: folder.database)
    let before = try contents(of: folder)
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: folder.path) }
    #expect(error == .foreign(folder.database))
    #expect(try contents(of: folder) == before)
  }

  @Test func `is refused if the database is empty, which a store never is`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    try Data().write(to: URL(filePath: folder.database))
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: folder.path) }
    #expect(
      error?.description
        == "\(folder.database) is empty, which a store never is: "
        + "put a backup in its place, or delete it to begin anew"
    )
    #expect(FileManager.default.contents(atPath: folder.database) == Data())
    try FileManager.default.removeItem(atPath: folder.database)
    // The remains of an interrupted start do not matter.
    try Data().write(to: URL(filePath: folder.database + ".new"))
    try SQLiteSessionStore(folder: folder.path).close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == ["lock", "sessions.sqlite"])
  }

  @Test func `is refused if the database is missing, but not its log`() throws {
    let folder = try Folder()
    defer { folder.remove() }
    let log = folder.database + "-wal"
    try Data("log".utf8).write(to: URL(filePath: log))
    let error = #expect(throws: StoreOpenError.self) { try SQLiteSessionStore(folder: folder.path) }
    #expect(error == .withoutDatabase(folder.database))
    #expect(FileManager.default.contents(atPath: log) == Data("log".utf8))
  }

  private func fill(_ folder: Folder) throws {
    let store = try SQLiteSessionStore(folder: folder.path)
    defer { store.close() }
    for number in 1...50 {
      try store.perform(.create(.new(UInt64(number))))
      try store.perform(.append(to: UInt64(number), 1...20))
    }
  }
}

/// A kind of damage to a file.
enum Damage: CaseIterable {
  case overwrittenHead
  case overwrittenPage
  case cutOff
  case text

  func apply(to path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    switch self {
    case .overwrittenHead: bytes.replaceSubrange(0..<64, with: Data(repeating: 0x55, count: 64))
    case .overwrittenPage:
      bytes.replaceSubrange(
        4096..<bytes.count,
        with: Data(repeating: 0x55, count: bytes.count - 4096)
      )
    case .cutOff: bytes.removeLast(bytes.count / 2)
    case .text: bytes = Data(String(repeating: "not a database\n", count: 400).utf8)
    }
    try bytes.write(to: URL(filePath: path))
  }
}

private func permissions(of path: String) throws -> Int? {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.posixPermissions] as? NSNumber)?.intValue
}

/// Returns the database and its log; the other files are empty or only used while the store is open.
private func contents(of folder: Folder) throws -> [String: Data] {
  var contents: [String: Data] = [:]
  for name in ["sessions.sqlite", "sessions.sqlite-wal"] {
    // A missing log equals an empty one.
    contents[name] = (try? Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))) ?? Data()
  }
  #expect(contents["sessions.sqlite"]?.isEmpty == false)
  return contents
}
