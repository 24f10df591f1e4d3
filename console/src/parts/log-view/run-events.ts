import type { StreamEvent } from "../../api/stream.ts";
import type { LogStep } from "./groups.ts";
import type { Piece } from "./pages.ts";

/** What an event of a stream changes. */
export interface LogChange {
  pieces?: readonly Piece[];
  /** The step that printed the pieces. */
  stepKey?: string | null;
  step?: { index: number; step: LogStep };
  /** Nothing will be added. */
  hasEnded?: boolean;
  /** Why there is nothing now. */
  problem?: string;
}

type RunOutput = Piece & { step: string | null };
type RunStep = LogStep & { index: number };

/** What an event of the log of a run changes. */
export function changeOfRun({ name, data }: StreamEvent): LogChange {
  if (name === "log") return { pieces: [data as RunOutput], stepKey: (data as RunOutput).step };
  if (name === "step") return { step: { index: (data as RunStep).index, step: data as RunStep } };
  return { hasEnded: name === "end" };
}
