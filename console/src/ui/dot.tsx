import { classNames } from "./class-names.ts";
import { dotTones, type Tone } from "./tones.ts";

/** A state as a dot, only beside its word. */
export function Dot({ tone, className }: { tone: Tone; className?: string }) {
  return (
    <span aria-hidden className={classNames("inline-block size-2 shrink-0 rounded-full", dotTones[tone], className)} />
  );
}
