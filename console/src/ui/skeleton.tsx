import { classNames } from "./class-names.ts";

/** A bar in the place of text that is loading, visible after 200 ms. `className` gives its size: "h-4 w-40". */
export function Skeleton({ className = "h-4 w-40" }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-late rounded-control bg-line/60", className)} />;
}

const widths = ["w-3/5", "w-4/5", "w-1/2", "w-2/3"];

/** Rows of the shape of those that will be here. */
export function SkeletonRows({ rows = 5, label = "Loading" }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className="flex h-10 animate-late items-center gap-4 border-line border-b">
          <Skeleton className="size-4 rounded-full" />
          <Skeleton className={`h-3.5 ${widths[index % widths.length]}`} />
          <Skeleton className="ml-auto h-3.5 w-16" />
        </div>
      ))}
    </div>
  );
}
