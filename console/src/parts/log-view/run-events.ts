import type { StreamEvent } from "../../api/stream.ts";
import type { LogStep } from "./groups.ts";
import type { Piece } from "./pages.ts";
import type { LogChange } from "./source.ts";

type RunOutput = Piece & { step: string | null };
type RunStep = LogStep & { index: number };

/** What an event of the log of a run changes. */
export function changeOfRun({ name, data }: StreamEvent): LogChange {
  if (name === "log") return { pieces: [data as RunOutput], stepKey: (data as RunOutput).step };
  if (name === "step") return { step: { index: (data as RunStep).index, step: data as RunStep } };
  return { hasEnded: name === "end" };
}
