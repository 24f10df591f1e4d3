import { Activity, GitCommitVertical, type LucideIcon, UserRound } from "lucide-react";
import type { Deployment } from "../../../contract/types.ts";

const looks: Record<Deployment["initiator"]["type"], { icon: LucideIcon; word: string; anonymous: string }> = {
  user: { icon: UserRound, word: "Requested by", anonymous: "A deleted account" },
  push: { icon: GitCommitVertical, word: "Push by", anonymous: "A push" },
  monitor: { icon: Activity, word: "Because of", anonymous: "A monitor" },
};

/** Who or what requested it. */
export function Initiator({ initiator: { type, name } }: Pick<Deployment, "initiator">) {
  const { icon: Icon, word, anonymous } = looks[type];
  return (
    <span className="inline-flex max-w-full min-w-0 items-baseline gap-1.5">
      <Icon role="img" aria-label={word} size={14} strokeWidth={1.75} className="shrink-0 self-center text-text-3" />
      <span dir="auto" className="truncate">
        {name || anonymous}
      </span>
    </span>
  );
}
