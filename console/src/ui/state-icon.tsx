import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from "lucide-react";
import { classNames } from "./class-names.ts";
import { Duration } from "./duration.tsx";
import { Ring } from "./ring.tsx";
import { type Tone, textTones } from "./tones.ts";

const icons: Record<Exclude<Tone, "run">, LucideIcon> = {
  ok: CircleCheck,
  bad: CircleX,
  warn: TriangleAlert,
  idle: CircleDashed,
};

export interface StateIconProps {
  tone: Tone;
  /** "Live", "Deploying", "Failed", … */
  word: string;
  /** The API's word, for `data-state`. */
  state?: string | undefined;
  /** Instead of the tone's: a clock for what waits. */
  icon?: LucideIcon;
  /** When the running state began. For those who want less motion, the seconds since show that it runs. */
  since?: string | undefined;
  /** The word is only for screen readers: where its column repeats in each row on a phone. */
  iconOnly?: boolean;
}

/** The state of a record: word, icon and colour. */
export function StateIcon({ tone, word, state, icon, since, iconOnly }: StateIconProps) {
  const Icon = icon ?? (tone === "run" ? undefined : icons[tone]);
  return (
    <span
      data-state={state}
      className={classNames("inline-flex items-baseline gap-1.5 whitespace-nowrap font-medium", textTones[tone])}
    >
      {Icon ? (
        <Icon aria-hidden size={14} strokeWidth={2} className="shrink-0 self-center" />
      ) : (
        <Ring className="self-center" />
      )}
      <span className={iconOnly ? "sr-only" : undefined}>{word}</span>
      {since && tone === "run" && (
        <span className="hidden font-normal tabular motion-reduce:inline">
          <Duration since={since} />
        </span>
      )}
    </span>
  );
}
