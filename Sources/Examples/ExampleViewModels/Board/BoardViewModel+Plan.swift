package import UIFusionKit

extension BoardViewModel: Planned {
  package static let plan: [PlannedInput<BoardViewModel>] = [
    .input(
      .add(text: "우유", to: "To do"),
      "카드 추가",
      [
        .action(
          .add(text: "우유", to: "To do"),
          ["columns": "열에 카드가 추가됩니다.", "count": "1 증가합니다."]
        )
      ]
    ),
    .input(
      .move(card: 1, to: "Done"),
      "카드 이동: 다른 열의 끝, 또는 다른 카드 앞으로 옮겨집니다.",
      after: [.add(text: "우유", to: "To do")],
      [.action(.move(card: 1, to: "Done"), ["columns": "카드가 옮겨집니다."])]
    ),
    .input(
      .remove(card: 1),
      "카드 삭제",
      after: [.add(text: "우유", to: "To do")],
      [.action(.remove(card: 1), ["columns": "카드가 삭제됩니다."])]
    ),
    .input(
      .restore(Card(id: 1, text: "우유"), to: "To do", at: 0),
      "카드 되돌리기: 있던 자리로 돌아갑니다.",
      after: [.add(text: "우유", to: "To do"), .move(card: 1, to: "Done")],
      [
        .action(
          .restore(Card(id: 1, text: "우유"), to: "To do", at: 0),
          ["columns": "카드가 되돌아옵니다."]
        )
      ]
    ),
    .input(
      .rename("장보기"),
      "이름 변경",
      [.action(.rename("장보기"), ["title": "새 이름으로 설정됩니다."])]
    ),
    .input(
      .sit(name: "에이다"),
      "자리에 앉기: 자리가 보내는 메시지에만 반응합니다.",
      [.action(.sit(name: "에이다"))]
    ),
    .input(.leave, "자리에서 일어나기: 자리가 보내는 메시지에만 반응합니다.", [.action(.leave)]),
  ]
}

extension BoardSeatViewModel: Planned {
  package static let plan: [PlannedInput<BoardSeatViewModel>] = [
    .input(
      .open("보드의 id"),
      "보드 열기: 보드의 열을 따라갑니다.",
      [.action(.open("보드의 id"), ["board": "보드의 id로 설정됩니다."])]
    ),
    .input(
      .add(text: "우유", to: "To do"),
      "카드 추가: 보드에 메시지를 보냅니다.",
      after: [.open("보드의 id")],
      [.action(.send(.add(text: "우유", to: "To do"), back: nil))]
    ),
    .input(.move(card: 1, to: "Done"), "카드 이동: 보드에 카드가 없으면 아무 일도 일어나지 않습니다.", []),
    .input(.remove(card: 1), "카드 삭제: 보드에 카드가 없으면 아무 일도 일어나지 않습니다.", []),
    .input(
      .search("우유"),
      "검색",
      [.action(.search("우유"), ["query": "검색어로 설정됩니다."])]
    ),
    .input(
      .added(card: 1),
      "보드의 응답: 카드가 추가되었습니다.",
      [.action(.added(card: 1), ["undo": "추가를 되돌릴 수 있습니다."])]
    ),
    .input(
      .refused("보드가 가득 찼습니다."),
      "보드의 응답: 추가되지 않았습니다.",
      [.action(.refused("보드가 가득 찼습니다."), ["notice": "이유가 표시됩니다."])]
    ),
    .input(
      .call("에이다"),
      "이름 입력: 보드에 있는 다른 사람들에게 보입니다.",
      [.action(.call("에이다"), ["name": "새 이름으로 설정됩니다."])]
    ),
    .input(
      .presence(PresenceChange(.joined, [Visitor(id: "방문자의 id")])),
      "사용자가 옴: 서비스가 알려 주고, 보드에 메시지를 보냅니다.",
      [.action(.presence(PresenceChange(.joined, [Visitor(id: "방문자의 id")])))]
    ),
    .input(.undo, "실행 취소: 되돌릴 것이 없으면 아무 일도 일어나지 않습니다.", [.action(.undo)]),
  ]
}
