#if Foundation || !canImport(FoundationEssentials)
  public import Foundation
#else
  public import FoundationEssentials
#endif

/// The description, code, domain and user info of an error.
///
/// The package trait `Foundation`, on by default, adds Foundation's errors: `NSError`, `CustomNSError`
/// and `URLError`. A statically linked executable without the trait is 44 MB smaller.
struct ErrorDetails {
  let description: String
  let code: Int
  let domain: String
  let userInfo: [String: Any]

  #if Foundation || !canImport(FoundationEssentials)
    init(_ error: any Error) {
      let bridged = error as NSError
      code = bridged.code
      domain = bridged.domain
      let isFoundations =
        type(of: error) is NSError.Type || error is CocoaError || error is URLError
        || error is POSIXError
      // For other errors Foundation invents user info.
      userInfo = isFoundations || error is any CustomNSError ? bridged.userInfo : [:]
      description =
        (error as? any LocalizedError)?.errorDescription
        ?? userInfo[NSLocalizedDescriptionKey] as? String
        ?? (isFoundations ? bridged.localizedDescription : String(describing: error))
    }
  #else
    init(_ error: any Error) {
      let cocoa = error as? CocoaError
      code = cocoa?.code.rawValue ?? error._code
      domain = cocoa == nil ? error._domain : "NSCocoaErrorDomain"
      userInfo = cocoa?.userInfo ?? [:]
      description =
        (error as? any LocalizedError)?.errorDescription
        ?? userInfo["NSLocalizedDescription"] as? String ?? String(describing: error)
    }
  #endif
}

extension SendableError: LocalizedError {
  /// The description, so that `localizedDescription` has the same text.
  public var errorDescription: String? { description }
}
