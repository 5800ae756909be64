package import UIFusionKit

extension CountdownViewModel: Planned {
  package static let plan: [PlannedInput<CountdownViewModel>] = [
    .input(
      .start,
      "start 버튼 선택",
      [
        .action(.start, ["isRunning": "true로 설정되고, 1초 타이머가 시작됩니다."]),
        .action(
          .tick,
          [
            "remaining": "1초마다 1 감소합니다.",
            "isRunning": "remaining이 0이 되면 false로 설정되고, 타이머가 취소됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .start,
      "이미 진행 중일 때 start 버튼 선택: 타이머는 그대로 이어집니다.",
      after: [.start],
      delay: .seconds(3),
      [
        .action(.start),
        .action(
          .tick,
          [
            "remaining": "1초마다 1 감소합니다.",
            "isRunning": "remaining이 0이 되면 false로 설정됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .start,
      "남은 시간이 없을 때 start 버튼 선택: 시작하지 않습니다.",
      after: [.setDuration(0)],
      [.action(.start)]
    ),
    .input(
      .pause,
      "진행 중일 때 pause 버튼 선택",
      after: [.start],
      delay: .seconds(3),
      [.action(.pause, ["isRunning": "false로 설정되고, remaining은 그대로 멈춥니다."])]
    ),
    .input(
      .reset,
      "진행 중일 때 reset 버튼 선택",
      after: [.start],
      delay: .seconds(3),
      [
        .action(
          .reset,
          [
            "remaining": "처음 값으로 초기화됩니다.",
            "isRunning": "false로 설정되고, 타이머가 취소됩니다.",
          ]
        )
      ]
    ),
    .input(
      .setDuration(20),
      "시간 설정",
      [
        .action(.setDuration(20)),
        .action(.reset, ["remaining": "설정한 초로 바뀝니다."]),
      ]
    ),
    .input(
      .setDuration(20),
      "진행 중일 때 시간 설정",
      after: [.start],
      delay: .seconds(3),
      [
        .action(.setDuration(20)),
        .action(
          .reset,
          [
            "remaining": "설정한 초로 바뀝니다.",
            "isRunning": "false로 설정되고, 타이머가 취소됩니다.",
          ]
        ),
      ]
    ),
    .input(
      .setDuration(-1),
      "0보다 작은 시간 설정: 무시됩니다.",
      []
    ),
  ]
}
