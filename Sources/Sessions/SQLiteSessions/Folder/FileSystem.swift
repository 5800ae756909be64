import CFusionSQLite

/// The types of file systems, and those that a store should not trust.
enum FileSystem {
  /// Returns the type of the file system that a folder is on (statfs(2)); nil if the system does not tell.
  static func type(of folder: String) -> Int? {
    let type = unsafe csq_file_system_type(folder)
    return type == 0 ? nil : type
  }

  /// Returns the name of a network or user-space file system, whose locks and syncs depend on others; nil
  /// for the types of local disks.
  static func remoteName(ofType type: Int) -> String? {
    // Some systems sign-extend the numbers.
    switch UInt32(truncatingIfNeeded: type) {
    case 0x6969: "NFS"
    case 0xFF53_4D42: "CIFS"
    case 0xFE53_4D42: "SMB2"
    case 0x517B: "SMB"
    case 0x6573_5546: "FUSE"
    case 0x0102_1997: "9P"
    case 0x00C3_6400: "Ceph"
    case 0x5346_414F, 0x6B41_4653: "AFS"
    case 0x7375_7245: "Coda"
    case 0x0BD0_0BD0: "Lustre"
    case 0x0116_1970: "GFS2"
    case 0x7461_636F: "OCFS2"
    default: nil
    }
  }
}
