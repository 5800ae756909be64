extension NodeDecoder {
  /// The nodes of an object's member names, in order.
  func forEachName(_ body: (Int) throws -> Void) rethrows {
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      try body(name)
      name = document.indexAfter(name + 1)
    }
  }

  /// The first name that is no key, nil if each is one.
  ///
  /// Swift compares strings by canonical equivalence, JSON names code by code (RFC 8259 section
  /// 8.3). A name that is a key by the former only would be let through and then never be found;
  /// and two such names would become one key of a `Dictionary`.
  func firstName<Key: CodingKey>(unknownTo type: Key.Type) -> Int? {
    var equivalents: Set<String> = []
    var name = index + 1
    let end = Int(node.link)
    while name < end {
      let text = document.text(of: name)
      guard let key = Key(stringValue: text) else { return name }
      if !document.nodes[name].flag {
        guard key.stringValue.utf8.elementsEqual(text.utf8), equivalents.insert(text).inserted
        else {
          return name
        }
      }
      name = document.indexAfter(name + 1)
    }
    return nil
  }

  /// Whether a string is the name of a key, code by code.
  func isName<Key: CodingKey>(of type: Key.Type) -> Bool {
    let text = document.text(of: index)
    guard let key = Key(stringValue: text) else { return false }
    return node.flag || key.stringValue.utf8.elementsEqual(text.utf8)
  }

  /// Whether this holds a case's values by name.
  ///
  /// Apart from the next function, since asking a key type is the dear part of it.
  var isInFull: Bool {
    node.kind == .object && document.member("_0", of: index) != nil
  }

  /// Whether `{"setDuration":10}` stands for `{"setDuration":{"_0":10}}`, seen from the 10.
  ///
  /// Asked of what is not in full. It does if the case has an unlabelled value, unless it is an
  /// object whose members are all named like the case's other values.
  func standsForUnlabelledValue<Key: CodingKey>(besides type: Key.Type) -> Bool {
    guard Key(stringValue: "_0") != nil else { return false }
    return node.kind != .object || node.count == 0 || firstName(unknownTo: type) != nil
  }
}
