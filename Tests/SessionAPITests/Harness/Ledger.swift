import UIFusionKit

/// A view model that notes the numbers it receives, and sends numbers to other sessions.
struct Ledger: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable {
    case tell([Int], to: String)
    case tellNamed([Int], name: String, shared: Bool)
    case tellOther(Int, name: String)
    case note(Int)
    case order(Int, to: String, of: String)
    case batch([Int], to: String)
    case nonsense(Int, to: String)
  }
  enum Action: Codable, Sendable { case input(Input), noted(Int, from: String), back(Int) }
  struct State: Codable, Equatable, Sendable {
    var notes: [Int] = []
    var senders: [String] = []
    var refused: [Int] = []
  }
  private enum Unknown: Codable { case other(Int) }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    guard case .note(let number) = input else { return [.input(input)] }
    return [.noted(number, from: InputSender.session ?? "nobody")]
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .noted(let number, let sender):
      state.notes.append(number)
      if !state.senders.contains(sender) { state.senders.append(sender) }
    case .back(let number): state.refused.append(number)
    case .input(.tell(let numbers, let id)):
      return numbers.map { .send(Input.note($0), to: .id(id), ifRefused: .back($0)) }
    case .input(.tellNamed(let numbers, let name, let isShared)):
      let address = SessionAddress.named(name, of: "ledger", shared: isShared)
      return numbers.map { .send(Input.note($0), to: address, ifRefused: .back($0)) }
    case .input(.tellOther(let number, let name)):
      let address = SessionAddress.named(name, of: "ledgr", shared: true)
      return [.send(Input.note(number), to: address, ifRefused: .back(number))]
    case .input(.order(let number, let id, let receiver)):
      return [.send(Input.tell([number], to: receiver), to: .id(id), ifRefused: .back(number))]
    case .input(.batch(let numbers, let id)):
      return [.send(numbers.map { Input.note($0) }, to: .id(id), ifRefused: .back(0))]
    case .input(.nonsense(let number, let id)):
      return [.send(Unknown.other(number), to: .id(id), ifRefused: .back(number))]
    case .input(.note): break
    }
    return []
  }
}
