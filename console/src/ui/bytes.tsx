import { formatBytes } from "./format.ts";

/** A size: "1.5 GB". */
export function Bytes({ value }: { value: number }) {
  return <span className="whitespace-nowrap tabular">{formatBytes(value)}</span>;
}
