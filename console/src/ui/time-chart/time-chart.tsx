import { type FocusEvent, lazy, memo, Suspense, useState } from "react";
import { classNames } from "../class-names.ts";
import { chartHeight, type TimeChartData } from "./chart-data.ts";

export interface TimeChartProps {
  /** What it shows: "Response time". */
  label: string;
  data: TimeChartData;
  /** A value with its unit. */
  format: (value: number) => string;
  /** What one of the times stands for: "12 Nov, 10:00 to 11:00". */
  formatTime: (at: number) => string;
}

// The library for it comes with the first chart.
const Plot = lazy(() => import("./plot.tsx"));

/**
 * Series over time, with a cursor that reads one of the times, and the same as a table for screen readers. Drag to zoom in;
 * double-click to zoom out. `data` has to stay the same from one render to the next.
 *
 * | key | does |
 * |---|---|
 * | ← → | moves the cursor |
 * | Home End | to the first, the last time |
 */
export function TimeChart(props: TimeChartProps) {
  const { data, format } = props;
  const [cursor, setCursor] = useState<number | null>(null);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="relative rounded-panel has-focus-visible:outline-2 has-focus-visible:outline-focus">
        <CursorInput {...props} cursor={cursor} onCursor={setCursor} />
        <div aria-hidden style={{ height: chartHeight }}>
          <Suspense>
            <Plot data={data} format={format} cursor={cursor} onCursor={setCursor} />
          </Suspense>
        </div>
      </div>
      <Readout {...props} cursor={cursor} />
      <Table {...props} />
    </div>
  );
}

interface CursorProps extends TimeChartProps {
  cursor: number | null;
  onCursor: (index: number | null) => void;
}

/** Moves the cursor by the keyboard, and reads it out. Invisible: the chart shows its focus. */
function CursorInput({ label, cursor, onCursor, ...props }: CursorProps) {
  const last = props.data.times.length - 1;
  const index = cursor ?? last;
  const show = ({ target }: FocusEvent<HTMLInputElement>) => {
    if (target.matches(":focus-visible")) onCursor(index);
  };
  return (
    <input
      type="range"
      className="sr-only"
      aria-label={label}
      aria-valuetext={textsAt(props, index).join(", ")}
      min={0}
      max={last}
      value={index}
      onChange={({ target }) => onCursor(Number(target.value))}
      onFocus={show}
      onBlur={() => onCursor(null)}
    />
  );
}

/** What is known of a time: when, its values, and the note. */
function textsAt({ data, format, formatTime }: Omit<TimeChartProps, "label">, index: number): string[] {
  const at = data.times[index];
  if (at === undefined) return [];
  const values = data.series.flatMap(({ label, values: all }) => {
    const value = all[index];
    return value == null ? [] : [`${label} ${format(value)}`];
  });
  const note = data.notes[index];
  return [formatTime(at), ...values, ...(note ? [note] : [])];
}

/** What the cursor is at; without one, what the lines are. */
function Readout({ cursor, ...props }: TimeChartProps & { cursor: number | null }) {
  const { series, shades, marks } = props.data;
  if (cursor !== null) {
    const [time, ...texts] = textsAt(props, cursor);
    return (
      <p className="min-h-5 text-text-2 tabular [overflow-wrap:anywhere]">
        <span className="text-text">{time}</span>
        {texts.map((text) => (
          <span key={text}> · {text}</span>
        ))}
      </p>
    );
  }
  return (
    <ul aria-hidden className="flex min-h-5 flex-wrap gap-x-4 text-text-2">
      {series.map(({ label }, index) => (
        <Key
          key={label}
          label={label}
          className={index === 0 ? "h-0.5 bg-text" : "h-2 border-control border-t bg-line"}
        />
      ))}
      {shades.some(({ tone }) => tone === "bad") && (
        <Key label="Down" className="h-3 border-bad-dot border-t-2 bg-bad-bg" />
      )}
      {marks.length > 0 && <Key label="Deployment" className="h-0 border-text-3 border-t border-dashed" />}
    </ul>
  );
}

const Key = ({ label, className }: { label: string; className: string }) => (
  <li className="flex items-center gap-1.5">
    <span className={classNames("w-4", className)} />
    {label}
  </li>
);

/** Of its own, so that a move of the cursor does not render hundreds of rows. */
const Table = memo(({ label, data: { times, series, notes }, format, formatTime }: TimeChartProps) => (
  <div className="sr-only">
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map((each) => (
            <th key={each.label} scope="col">
              {each.label}
            </th>
          ))}
          <th scope="col">Notes</th>
        </tr>
      </thead>
      <tbody>
        {times.map((at, index) => (
          <tr key={at}>
            <th scope="row">{formatTime(at)}</th>
            {series.map(({ label: name, values }) => {
              const value = values[index];
              return <td key={name}>{value == null ? "–" : format(value)}</td>;
            })}
            <td>{notes[index]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
));
