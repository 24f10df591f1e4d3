import type { EnvironmentComparison } from "../../../../contract/types.ts";
import { classNames } from "../../ui/class-names.ts";

type Kind = "added" | "changed" | "removed";

const kinds: readonly { kind: Kind; word: string; mark: string; color: string }[] = [
  { kind: "added", word: "Added", mark: "+", color: "text-ok" },
  { kind: "changed", word: "Changed", mark: "~", color: "text-warn" },
  { kind: "removed", word: "Removed", mark: "−", color: "text-bad" },
];

/** What saving a text would change, by name. */
export function Comparison({ comparison }: { comparison: EnvironmentComparison }) {
  const shown = kinds.filter(({ kind }) => comparison[kind].length > 0);
  return (
    <dl className="flex flex-col gap-1.5">
      {shown.map(({ kind, word, mark, color }) => (
        <div key={kind} className="flex gap-3" data-change={kind}>
          <dt className={classNames("w-24 shrink-0 font-medium", color)}>
            <span aria-hidden>{mark} </span>
            {word} {comparison[kind].length}
          </dt>
          <dd className="flex min-w-0 flex-wrap gap-x-3">
            {comparison[kind].map((name) => (
              <code key={name} className="[overflow-wrap:anywhere]">
                {name}
              </code>
            ))}
          </dd>
        </div>
      ))}
      <div className="flex gap-3 text-text-2" data-change="unchanged">
        <dt className="w-24 shrink-0">Unchanged</dt>
        <dd className="tabular">{comparison.unchanged}</dd>
      </div>
    </dl>
  );
}

export const changesNothing = ({ added, changed, removed }: EnvironmentComparison): boolean =>
  added.length + changed.length + removed.length === 0;
