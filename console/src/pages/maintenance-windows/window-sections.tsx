import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { scheduleText } from "../../parts/schedule-text.ts";
import { useClock } from "../../ui/clock.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Section } from "../../ui/section.tsx";
import { StateIcon } from "../../ui/state-icon.tsx";
import { Time } from "../../ui/time.tsx";
import { isRepeating, type MaintenanceWindow, type Phase, phaseOf } from "./window.ts";
import type { Opened } from "./window-dialogs.tsx";
import { lengthText, type Names, ownZone, spanText, targetsText } from "./window-text.ts";

interface Props {
  windows: readonly MaintenanceWindow[];
  names: Names;
  /** Undefined for those who only read. */
  onOpen: ((opened: Opened) => void) | undefined;
}

const sections: readonly { phase: Phase; title: string }[] = [
  { phase: "running", title: "Now" },
  { phase: "coming", title: "Coming" },
  { phase: "past", title: "Past" },
];

export function WindowSections({ windows, names, onOpen }: Props) {
  return (
    <div className="flex flex-col gap-8">
      {sections.map(({ phase, title }) => {
        const shown = windows.filter((window) => phaseOf(window) === phase);
        return (
          shown.length > 0 && (
            <Section key={phase} title={title}>
              <ul aria-label={title} className="border-line border-t">
                {shown.map((window) => (
                  <WindowRow key={window.id} window={window} names={names} onOpen={onOpen} />
                ))}
              </ul>
            </Section>
          )
        );
      })}
    </div>
  );
}

interface RowProps extends Omit<Props, "windows"> {
  window: MaintenanceWindow;
}

function WindowRow({ window, names, onOpen }: RowProps) {
  return (
    <li data-window={window.id} className="flex items-start gap-x-4 border-line border-b py-3">
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span dir="auto" className="font-medium text-prose [overflow-wrap:anywhere]">
            {window.name}
          </span>
          {window.is_active && window.next_ends_at && <Running until={window.next_ends_at} />}
        </p>
        {isRepeating(window) ? <Repeating window={window} /> : <Once window={window} />}
        <p dir="auto" className="text-text-2 [overflow-wrap:anywhere]">
          {targetsText(window, names)}
        </p>
      </div>
      {onOpen && <RowMenu window={window} onOpen={onOpen} />}
    </li>
  );
}

const Running = ({ until }: { until: string }) => (
  <span className="flex flex-wrap items-baseline gap-x-2">
    <StateIcon tone="run" word="Running" state="active" />
    <span className="text-text-2">
      ends <Time at={until} />
    </span>
  </span>
);

function Once({ window: { starts_at: from, ends_at: until, ...window } }: { window: MaintenanceWindow }) {
  if (!from || !until) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-text-2">
      <span>
        {spanText(from, until)} <Zone name={ownZone} />
      </span>
      {phaseOf({ ...window, starts_at: from, ends_at: until }) === "coming" && <Near at={from} />}
    </p>
  );
}

/** The schedule, and the next time; both in the zone of the window. */
function Repeating({ window }: { window: MaintenanceWindow }) {
  const {
    cron_expression: cron,
    duration_seconds: seconds,
    timezone,
    next_starts_at: from,
    next_ends_at: until,
  } = window;
  if (cron === null || seconds === null) return null;
  const zone = timezone ?? "UTC";
  const words = scheduleText(cron);
  return (
    <>
      <p className="flex flex-wrap gap-x-3 text-text-2">
        {words && <span>{words}</span>}
        <code className={words && "text-text-3"}>{cron}</code>
        <span>for {lengthText(seconds)}</span>
        <Zone name={zone} />
      </p>
      {from && until && !window.is_active && (
        <p className="text-text-2">
          Next {spanText(from, until, zone)} <Near at={from} />
        </p>
      )}
    </>
  );
}

const week = 7 * 86_400_000;

/** "in 3 h"; beyond a week the date says more. */
function Near({ at }: { at: string }) {
  const isNear = useClock((now) => Number(Date.parse(at) - now < week));
  return isNear === 1 && <Time at={at} className="ml-1 text-text" />;
}

const Zone = ({ name }: { name: string }) => <span className="text-text-3">{name.replaceAll("_", " ")}</span>;

function RowMenu({ window, onOpen }: { window: MaintenanceWindow; onOpen: (opened: Opened) => void }) {
  const label = `Actions of ${window.name}`;
  const edit = { id: "edit", label: "Edit window", icon: Pencil, onAction: () => onOpen({ kind: "edit", window }) };
  const remove = { id: "delete", label: "Delete window", icon: Trash2, danger: true };
  return (
    <Menu
      label={label}
      trigger={<IconButton label={label} icon={Ellipsis} compact />}
      sections={[{ items: [edit] }, { items: [{ ...remove, onAction: () => onOpen({ kind: "delete", window }) }] }]}
    />
  );
}
