/** What a state means, independently of whose state it is. */
export type Tone = "ok" | "bad" | "run" | "warn" | "idle";

export const textTones: Record<Tone, string> = {
  ok: "text-ok",
  bad: "text-bad",
  run: "text-run",
  warn: "text-warn",
  idle: "text-idle",
};

export const tintTones: Record<Tone, string> = {
  ok: "bg-ok-bg text-ok",
  bad: "bg-bad-bg text-bad",
  run: "bg-run-bg text-run",
  warn: "bg-warn-bg text-warn",
  idle: "bg-idle-bg text-idle",
};

export const dotTones: Record<Tone, string> = {
  ok: "bg-ok-dot",
  bad: "bg-bad-dot",
  run: "bg-run-dot",
  warn: "bg-warn-dot",
  idle: "bg-idle-dot",
};
