import { type ReactNode, useState } from "react";
import type { MonitorImport, MonitorImportItem } from "../../../../contract/types.ts";
import { useOrganization } from "../../data/organization.ts";
import type { Target } from "../../parts/monitor/targets.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { formatNumber } from "../../ui/format.ts";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { TargetChoice } from "./target-choice.tsx";
import type { ChosenTargets } from "./use-import.ts";

/** More are shown when one asks: an export has up to a thousand. */
const mostAtFirst = 100;

interface Props {
  result: MonitorImport;
  targets: ChosenTargets;
  onChoose: (item: string, target: Target | undefined) => void;
}

/** What an import did, or would do: what is refused first. */
export function ImportResult({ result: { dry_run, created, skipped, items }, targets, onChoose }: Props) {
  const [isWhole, setWhole] = useState(false);
  // What was refused stays where it is when its target has been chosen, with the fields that have the focus.
  const isFirst = ({ action, item }: MonitorImportItem) => Number(action === "skip" || targets.has(item));
  const sorted = items.toSorted((a, b) => isFirst(b) - isFirst(a));
  const shown = isWhole ? sorted : sorted.slice(0, mostAtFirst);
  return (
    <Section
      title={dry_run ? "What would be imported" : "What was imported"}
      description={`${formatNumber(created)} imported, ${formatNumber(skipped)} refused.`}
    >
      <ul aria-label="Monitors of the export" className="border-line border-t">
        {shown.map((item) => (
          <Item key={item.item} item={item} isDry={dry_run}>
            {dry_run && item.type !== null && (item.needs_target || targets.has(item.item)) && (
              <TargetChoice
                name={item.name || item.item}
                type={item.type}
                onChoose={(target) => onChoose(item.item, target)}
              />
            )}
          </Item>
        ))}
      </ul>
      {shown.length < sorted.length && (
        <Button className="self-start" onPress={() => setWhole(true)}>
          {`Show all ${formatNumber(sorted.length)}`}
        </Button>
      )}
    </Section>
  );
}

function Item({ item, isDry, children }: { item: MonitorImportItem; isDry: boolean; children: ReactNode }) {
  const { name, item: id, reason, notes, monitor_id } = item;
  const o = useOrganization();
  const isRefused = item.action === "skip";
  const shownName = <bdi className="font-medium">{name || id}</bdi>;
  return (
    <li data-import={item.action} className="flex gap-x-4 gap-y-1 border-line border-b py-2 max-sm:flex-col">
      <span className="shrink-0 sm:w-36">
        <StateIcon
          tone={isRefused ? "warn" : "ok"}
          word={isRefused ? "Refused" : isDry ? "Would be made" : "Imported"}
          state={item.action}
        />
      </span>
      <div className="flex min-w-0 grow flex-col [overflow-wrap:anywhere]">
        <p>{monitor_id === null ? shownName : <Link href={paths.monitor(o, monitor_id)}>{shownName}</Link>}</p>
        {reason && <p dir="auto">{reason}</p>}
        {notes.map((note) => (
          <p key={note} dir="auto" className="text-text-2">
            {note}
          </p>
        ))}
        {children}
      </div>
    </li>
  );
}
