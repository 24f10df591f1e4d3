import { Download } from "lucide-react";
import type { ActivityFilter } from "../../data/activity.ts";
import { useOrganization } from "../../data/organization.ts";
import { buttonClasses } from "../../ui/button.tsx";
import { exportAddress } from "./filters.ts";

/** Downloads of the audit log, with the filters of the page. */
export function ExportLinks({ filter }: { filter: ActivityFilter }) {
  const o = useOrganization();
  return (["csv", "ndjson"] as const).map((format) => (
    <a key={format} href={exportAddress(o, format, filter)} download className={buttonClasses("secondary")}>
      <Download aria-hidden size={16} strokeWidth={1.75} className="-ml-0.5" />
      {format === "csv" ? "Export CSV" : "Export NDJSON"}
    </a>
  ));
}
