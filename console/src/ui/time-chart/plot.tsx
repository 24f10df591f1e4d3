import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "./plot.css";
import { chartHeight } from "./chart-data.ts";
import { optionsOf, type Shown } from "./plot-options.ts";

export interface PlotProps extends Shown {
  cursor: number | null;
  onCursor: (index: number | null) => void;
}

/** The picture of a chart, drawn by uPlot in the colours of the page. */
export default function Plot(props: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  // The drawing outlives changes of the data: so does a zoom.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const place = element.current;
    if (!place) return;
    const size = { width: place.clientWidth, height: chartHeight };
    const drawn = new uPlot(
      optionsOf(size, () => latest.current),
      dataOf(latest.current),
      place,
    );
    plot.current = drawn;
    const stopFollowing = followPage(drawn, place);
    return () => {
      stopFollowing();
      drawn.destroy();
    };
  }, []);
  const { data, cursor } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the data is all that the picture is redrawn for.
  useEffect(() => plot.current?.setData(dataOf(props), !isZoomed(plot.current)), [data]);
  useEffect(() => {
    if (plot.current) moveCursor(plot.current, cursor);
  }, [cursor]);
  return <div ref={element} className="h-full min-w-0" />;
}

/** Seconds, and a list for each series. */
const dataOf = ({ data: { times, series } }: Shown): uPlot.AlignedData => [
  times.map((at) => at / 1_000),
  ...series.map(({ values }) => [...values]),
];

function isZoomed({ data: [times], scales }: uPlot): boolean {
  const { min, max } = scales.x ?? {};
  return min != null && max != null && (min > (times[0] ?? min) || max < (times.at(-1) ?? max));
}

function moveCursor(plot: uPlot, index: number | null): void {
  if (plot.cursor.idx === index) return;
  const at = index === null ? undefined : plot.data[0][index];
  // A place outside hides it.
  plot.setCursor({ left: at === undefined ? -10 : plot.valToPos(at, "x"), top: at === undefined ? -10 : 0 }, false);
}

/** Keeps the size and the colours; returns a function that stops. */
function followPage(plot: uPlot, place: HTMLElement): () => void {
  const sizes = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: chartHeight }));
  const themes = new MutationObserver(() => plot.redraw(false));
  sizes.observe(place);
  themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    sizes.disconnect();
    themes.disconnect();
  };
}
