import { ArrowDown, ArrowUp, X } from "lucide-react";
import { flushSync } from "react-dom";
import type { StatusPageMonitor } from "../../../../../contract/types.ts";
import { announce } from "../../../parts/announce.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { moved } from "./moved.ts";

interface Props {
  monitors: readonly StatusPageMonitor[];
  /** Of the monitors, as far as they are known. */
  names: ReadonlyMap<number, string>;
  /** Undefined for those who only read. */
  onChange: ((monitors: readonly StatusPageMonitor[]) => void) | undefined;
}

/** The monitors of the page in their order, each with the name that visitors see. */
export function ShownMonitors({ monitors, names, onChange }: Props) {
  if (monitors.length === 0) return null;
  return (
    <ol aria-label="Monitors of the page" className="border-line border-t">
      {monitors.map((monitor, at) => (
        <ShownMonitor
          key={monitor.id}
          monitor={monitor}
          at={at}
          name={names.get(monitor.id) ?? `monitor ${monitor.id}`}
          monitors={monitors}
          onChange={onChange}
        />
      ))}
    </ol>
  );
}

interface RowProps extends Pick<Props, "monitors" | "onChange"> {
  monitor: StatusPageMonitor;
  at: number;
  name: string;
}

function ShownMonitor({ monitor, at, name, monitors, onChange }: RowProps) {
  const relabel = (label: string) => onChange?.(monitors.with(at, { ...monitor, label: label === "" ? null : label }));
  return (
    <li
      data-monitor={monitor.id}
      className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-line border-b py-2 sm:flex-nowrap"
    >
      <span className="min-w-0 flex-1 basis-40 truncate font-medium max-sm:order-1">
        <bdi>{name}</bdi>
      </span>
      {onChange ? (
        <TextField
          label={`Name of ${name} for visitors`}
          labelHidden
          name={`monitors.${at}.label`}
          placeholder={name}
          value={monitor.label ?? ""}
          onChange={relabel}
          maxLength={100}
          autoComplete="off"
          className="min-w-0 flex-1 basis-52 max-sm:order-3 max-sm:basis-full"
        />
      ) : (
        <span className="min-w-0 flex-1 basis-52 truncate text-text-2 max-sm:order-3">
          <bdi>{monitor.label}</bdi>
        </span>
      )}
      {onChange && <RowButtons at={at} name={name} monitors={monitors} onChange={onChange} />}
    </li>
  );
}

interface ButtonsProps extends Omit<RowProps, "monitor" | "onChange"> {
  onChange: (monitors: readonly StatusPageMonitor[]) => void;
}

function RowButtons({ at, name, monitors, onChange }: ButtonsProps) {
  const move = (to: number, button: Element) => {
    // The row moves in the document, which takes the focus from its button; at an end of the list that is disabled.
    flushSync(() => onChange(moved(monitors, at, to)));
    const enabled = button.matches(":disabled") ? button.parentElement?.querySelector("button:enabled") : button;
    (enabled as HTMLElement | null | undefined)?.focus();
    announce(`${name}: ${to + 1} of ${monitors.length}`);
  };
  return (
    <span className="flex max-sm:order-2">
      <IconButton
        compact
        label={`Move ${name} up`}
        icon={ArrowUp}
        isDisabled={at === 0}
        onPress={({ target }) => move(at - 1, target)}
      />
      <IconButton
        compact
        label={`Move ${name} down`}
        icon={ArrowDown}
        isDisabled={at === monitors.length - 1}
        onPress={({ target }) => move(at + 1, target)}
      />
      <IconButton compact label={`Take ${name} away`} icon={X} onPress={() => onChange(monitors.toSpliced(at, 1))} />
    </span>
  );
}
