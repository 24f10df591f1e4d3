import { CircleCheck, CircleX } from "lucide-react";
import { useEffect } from "react";
import type { Domain } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { DnsRecord } from "../../../parts/dns-record.tsx";
import { Time } from "../../../ui/time.tsx";
import { checkDns } from "./check-dns.ts";

/** Where the name leads by the last look-up, and the record that it needs. */
export function DnsState({ domain }: { domain: Domain }) {
  const organization = useOrganization();
  const isUnknown = domain.dns === null;
  // A name that was never looked up, or not since the server has its present address, is looked up when it is seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each domain, whatever else of it changes.
  useEffect(() => {
    if (isUnknown) checkDns(organization, domain).catch(() => {});
  }, [organization, domain.id, isUnknown]);
  if (domain.dns === null) return <p className="text-text-3">DNS is being looked up.</p>;
  const { ok, message, checked_at, expected_ip } = domain.dns;
  return (
    <div className="flex flex-col gap-2" data-dns={ok ? "ok" : "failed"}>
      <p className="flex items-start gap-1.5">
        {ok ? (
          <CircleCheck aria-label="DNS leads here" size={14} className="mt-1 shrink-0 text-ok" />
        ) : (
          <CircleX aria-label="DNS does not lead here" size={14} className="mt-1 shrink-0 text-bad" />
        )}
        <span className="min-w-0 text-text-2 [overflow-wrap:anywhere]">
          {message} <span className="text-text-3">Checked</span> <Time at={checked_at} className="text-text-3" />
        </span>
      </p>
      {!ok && expected_ip && <DnsRecord name={domain.domain_name} address={expected_ip} />}
    </div>
  );
}
