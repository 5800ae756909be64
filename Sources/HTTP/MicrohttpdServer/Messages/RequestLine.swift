import Glibc

/// A request's first line, as the library passes it to the access handler; valid during the handler's first call.
@safe struct RequestLine {
  let url: UnsafeBufferPointer<UInt8>
  let method: UnsafeBufferPointer<UInt8>
  let version: UnsafeBufferPointer<UInt8>
  let layout: RequestLineLayout

  init(
    _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?
  ) {
    unsafe self.url = bytes(of: url)
    unsafe self.method = bytes(of: method)
    unsafe self.version = bytes(of: version)
    layout = unsafe RequestLineLayout(method: self.method, target: url, version: version)
  }
}

/// Returns the bytes of a C string; none for nil.
func bytes(of text: UnsafePointer<CChar>?) -> UnsafeBufferPointer<UInt8> {
  unsafe bytes(text, text.map { unsafe strlen($0) } ?? 0)
}

/// Returns the bytes of a C string whose length is known; none for nil.
func bytes(_ text: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  unsafe UnsafeBufferPointer(
    start: UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self),
    count: text == nil ? 0 : count
  )
}
