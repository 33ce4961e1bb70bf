"""T10.3: play by post at its own pace: plans, standing orders and clocks."""
