import { useQuery } from "@tanstack/react-query";
import { request } from "../api/client.ts";
import { availability } from "../data/new-project.ts";
import { useOrganization } from "../data/organization.ts";
import { useSettled } from "../use-settled.ts";
import { DnsRecord } from "./dns-record.tsx";

interface Props {
  /** As it is typed. */
  name: string;
  /** Where visitors should arrive. */
  serverId: number;
}

/** A name is checked once one has stopped typing. */
const typedAfterMs = 300;

/** Whether a domain can be had, and where it leads now. Nothing until the text looks like a domain. */
export function DomainCheck({ name, serverId }: Props) {
  const settled = useSettled(name.trim(), typedAfterMs);
  return settled.includes(".") ? <Checks name={settled} serverId={serverId} /> : null;
}

function Checks({ name, serverId }: Props) {
  const { data } = useQuery({ ...availability(useOrganization(), { domain: name }), staleTime: 0 });
  const found = data?.data.domain;
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      {found && (
        <p className={found.is_available ? "text-ok" : "text-bad"}>
          {found.is_available ? `${found.value} is available.` : found.reason}
        </p>
      )}
      {found?.is_available && <Destination name={found.value} serverId={serverId} />}
    </div>
  );
}

function Destination({ name, serverId }: Props) {
  const organization = useOrganization();
  const { data } = useQuery({
    queryKey: [organization, "dns", name, serverId],
    queryFn: ({ signal }) =>
      request("POST /api/v1/check-ns", { organization, body: { server_id: serverId, domains: [name] }, signal }),
    staleTime: 0,
  });
  const check = data?.data[0];
  if (!check) return <p className="text-text-3">DNS is being looked up.</p>;
  const leadsHere = check.status === "success";
  return (
    <>
      <p className={leadsHere ? "text-ok" : "text-text-2"}>{check.message}</p>
      {!leadsHere && check.expected_ip && <DnsRecord name={name} address={check.expected_ip} />}
    </>
  );
}
