package import UIFusionKit

extension GalleryViewModel: Planned {
  package static let plan: [PlannedInput<GalleryViewModel>] = [
    .input(
      .download,
      "다운로드: 진행되는 동안 다른 입력은 차례를 기다립니다.",
      [
        .action(
          .download,
          ["progress": "1.6초 동안 0에서 100까지 오르고, 끝나면 없어집니다.", "downloads": "끝나면 1 증가합니다."]
        )
      ]
    ),
    .input(
      .setEmail("ada"),
      "@가 없는 이메일 입력",
      [
        .action(
          .setEmail("ada"),
          ["email": "입력한 이메일로 바뀝니다.", "emailError": "오류가 표시됩니다."]
        )
      ]
    ),
    .input(
      .setEmail("ada@example.com"),
      "이메일 입력",
      after: [.setEmail("ada")],
      [
        .action(
          .setEmail("ada@example.com"),
          ["email": "입력한 이메일로 바뀝니다.", "emailError": "없어집니다."]
        )
      ]
    ),
    .input(.setSize(.large), "크기 선택", [.action(.setSize(.large), ["size": "선택한 크기로 바뀝니다."])]),
    .input(
      .show(picture: "none.svg"),
      "이미지 표시",
      [.action(.show(picture: "none.svg"), ["picture": "이미지의 주소로 바뀝니다."])]
    ),
    .input(
      .ask,
      "알림 표시",
      [
        .action(
          .setAlert("It waits in State until somebody answers."),
          ["alert": "닫을 때까지 표시됩니다."]
        )
      ]
    ),
    .input(
      .dismissAlert,
      "알림 닫기",
      after: [.ask],
      [.action(.setAlert(nil), ["alert": "없어집니다."])]
    ),
    .input(
      .setLevel(120),
      "막대 변경: 0에서 100까지로 제한됩니다.",
      [.action(.setLevel(100), ["level": "100으로 설정됩니다."])]
    ),
    .input(.press, "길게 누르기", [.action(.togglePin, ["isPinned": "true와 false가 바뀝니다."])]),
    .input(
      .put(in: .right),
      "끌어다 놓기",
      [.action(.put(in: .right), ["place": "놓은 곳으로 바뀝니다."])]
    ),
    .input(
      .move(id: 3, to: 0),
      "순서 변경",
      [.action(.move(id: 3, to: 0), ["rows": "그 행이 맨 앞으로 옮겨집니다."])]
    ),
    .input(
      .remove(id: 2),
      "밀어서 삭제",
      [.action(.remove(id: 2), ["rows": "그 행이 없어집니다."])]
    ),
    .input(
      .bringBack,
      "되돌리기",
      after: [.remove(id: 2)],
      [.action(.bringBack, ["rows": "처음의 세 행이 됩니다."])]
    ),
    .input(
      .setSight(true),
      "나타남",
      [
        .action(
          .setSight(true),
          ["isInSight": "true로 설정됩니다.", "appearances": "1 증가합니다."]
        )
      ]
    ),
    .input(
      .setSight(false),
      "사라짐",
      after: [.setSight(true)],
      [.action(.setSight(false), ["isInSight": "false로 설정됩니다."])]
    ),
  ]
}
