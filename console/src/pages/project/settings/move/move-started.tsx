import type { MoveAccepted } from "../../../../../../contract/types.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { DnsRecord } from "../../../../parts/dns-record.tsx";
import { paths } from "../../../../paths.ts";
import { formatCount } from "../../../../ui/format.ts";
import { ButtonLink } from "../../../../ui/link.tsx";

interface Props {
  move: MoveAccepted;
  /** The name of the server that it leaves. */
  former: string;
}

/** The move is a deployment of its own kind; its page shows the progress. Afterwards the domains need other records. */
export function MoveStarted({ move, former }: Props) {
  const o = useOrganization();
  const { message, dns_records: records, forward_days: days, deployment_id: id } = move;
  return (
    <div className="flex flex-col gap-4">
      <p dir="auto">{message}</p>
      {records.length > 0 && (
        <>
          <p>
            When it has succeeded, change these records in the DNS.{" "}
            {days > 0 ? (
              <>
                <bdi>{former}</bdi> forwards visitors for {formatCount(days, "day")}.
              </>
            ) : (
              "Until then visitors are asked to come back later."
            )}
          </p>
          <ul aria-label="DNS records" className="flex flex-col gap-2">
            {records.map(({ name, type, value }) => (
              <li key={`${name} ${type}`}>
                <DnsRecord name={name} address={value} />
              </li>
            ))}
          </ul>
        </>
      )}
      <ButtonLink href={paths.deployment(o, id)} kind="primary" className="self-end">
        Follow the move
      </ButtonLink>
    </div>
  );
}
