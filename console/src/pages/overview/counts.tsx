import { useQuery } from "@tanstack/react-query";
import type { Overview } from "../../../../contract/types.ts";
import { useOrganization } from "../../data/organization.ts";
import { overview } from "../../data/overview.ts";
import { paths } from "../../paths.ts";
import { formatNumber } from "../../ui/format.ts";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { textTones } from "../../ui/tones.ts";
import { type Count, countsOf } from "./count-list.ts";

/** How many there are, and how many of them are not well; each a link to those. */
export function Counts() {
  const o = useOrganization();
  const { data, error } = useQuery(overview(o));
  if (data) return <CountList counts={data.data} organization={o} />;
  return error ? null : <Skeleton className="h-11 w-96 max-w-full" />;
}

export function CountList({ counts, organization }: { counts: Overview; organization: number }) {
  return (
    <dl className="flex flex-wrap gap-x-12 gap-y-4">
      {countsOf(counts, organization).map((count) => (
        <CountItem key={count.label} {...count} />
      ))}
      {counts.deployments && (
        <CountItem
          label="Deployments today"
          total={counts.deployments.today}
          href={paths.deployments(organization)}
          parts={[]}
        />
      )}
    </dl>
  );
}

function CountItem({ label, total, href, parts }: Count) {
  return (
    <div className="min-w-24">
      <dt className="text-meta text-text-3">{label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-3">
        <Link href={href} kind="quiet" className="font-semibold text-page tabular">
          {formatNumber(total)}
        </Link>
        {parts.map((part) => (
          <Link key={part.word} href={part.href} kind="quiet">
            <span className={`tabular ${textTones[part.tone]}`}>
              {formatNumber(part.count)} {part.word}
            </span>
          </Link>
        ))}
      </dd>
    </div>
  );
}
