import FusionCommandLine
import UIFusionServer

/// The place from which a new package takes UIFusion.
enum PackageSource: Sendable, Equatable {
  /// A folder on this machine.
  case folder(String)
  /// The address of a Git repository, which has this program's version as a tag.
  case address(String)

  /// The rule for addresses, to follow "must be".
  static let rule = "the address of a Git repository, such as https://example.org/UIFusion.git"

  /// Checks an address; fails if it cannot stand in a manifest, or names no repository.
  init?(address: String) {
    guard address.utf8.allSatisfy({ $0.isPlain || $0 == UInt8(ascii: ":") }),
      Self.parts(of: address).count > 1, !Self.lastPart(of: address).isEmpty
    else { return nil }
    self = .address(address)
  }

  /// The name of the package in a target's dependencies; SwiftPM takes that from an address.
  var packageName: String {
    switch self {
    case .folder: "UIFusion"
    case .address(let address): Self.lastPart(of: address)
    }
  }

  /// The dependency in a manifest.
  var dependency: String {
    switch self {
    case .folder:
      #".package(name: "UIFusion", path: uifusion)"#
    case .address(let address):
      #".package(url: "\#(address)", .upToNextMinor(from: "\#(uifusionVersion)"))"#
    }
  }

  private static func parts(of address: String) -> [Substring] {
    address.split { $0 == "/" || $0 == ":" }
  }

  private static func lastPart(of address: String) -> String {
    let part = parts(of: address).last ?? ""
    return String(part.hasSuffix(".git") ? part.dropLast(4) : part)
  }
}

extension UInt8 {
  /// Whether the byte has no meaning of its own in a manifest or a Makefile.
  var isPlain: Bool { self >= 0x80 || ofName.contains(self) || "./+@".utf8.contains(self) }
}
