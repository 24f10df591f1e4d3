import { CircleX, TriangleAlert } from "lucide-react";
import { useOrganization } from "../../data/organization.ts";
import type { AttentionItem } from "../../data/overview.ts";
import { recordPath } from "../../parts/record-path.ts";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";
import { kindText } from "./kind-text.ts";
import { MendButton } from "./mend-button.tsx";
import { SnoozeMenu } from "./snooze-menu.tsx";

/** One thing that is wrong: which record, what, since when, and what can be done. */
export function AttentionRow({ item }: { item: AttentionItem }) {
  return (
    <li
      data-kind={item.kind}
      className="flex gap-3 border-line border-b py-2.5 max-sm:flex-wrap max-sm:gap-y-2 sm:items-start"
    >
      <Severity severity={item.severity} />
      <div className="min-w-0 grow basis-0">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <SubjectLink item={item} />
          <span className="text-text-2">{kindText(item.kind)}</span>
          <Time at={item.since} className="text-meta text-text-3" />
        </p>
        <p dir="auto" className="line-clamp-3 max-w-[90ch] text-text-2 [overflow-wrap:anywhere]">
          {item.message}
        </p>
      </div>
      <div className="flex shrink-0 items-start gap-1 max-sm:w-full max-sm:justify-end">
        <MendButton item={item} />
        <SnoozeMenu item={item} />
      </div>
    </li>
  );
}

function Severity({ severity }: Pick<AttentionItem, "severity">) {
  const isCritical = severity === "critical";
  const Icon = isCritical ? CircleX : TriangleAlert;
  return (
    <Icon
      role="img"
      aria-label={isCritical ? "Critical" : "Warning"}
      size={16}
      strokeWidth={1.75}
      className={`mt-0.5 shrink-0 ${isCritical ? "text-bad" : "text-warn"}`}
    />
  );
}

function SubjectLink({ item: { subject, server_id, project_id } }: { item: AttentionItem }) {
  const href = recordPath(useOrganization(), { ...subject, server_id, project_id });
  const name = (
    <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
      {subject.name}
    </span>
  );
  return href ? (
    <Link href={href} kind="quiet">
      {name}
    </Link>
  ) : (
    name
  );
}
