import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { type Tone, tintTones } from "./tones.ts";

/** A word on a tint: a role, a label, a count. States of records are StateIcon's. */
export function Badge({ tone = "idle", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      dir="auto"
      className={classNames(
        "inline-flex h-5 align-top max-w-full items-center gap-1 truncate rounded-control px-1.5 font-medium text-meta tabular",
        tintTones[tone],
      )}
    >
      {children}
    </span>
  );
}
