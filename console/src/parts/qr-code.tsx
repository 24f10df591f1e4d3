import encodeQR from "qr";

/** Around the code, for cameras to find it. */
const border = 4;

/** A QR code, dark on light in both themes: not every camera reads it otherwise. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { border, ecc: "medium" });
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-44 rounded-panel bg-surface fill-text in-data-[theme=dark]:bg-text in-data-[theme=dark]:fill-bg"
    >
      <path d={pathOf(rows)} />
    </svg>
  );
}

/** A square for each dark module. */
export const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join("");
