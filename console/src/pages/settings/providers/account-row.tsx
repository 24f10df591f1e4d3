import { useQuery } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { type CloudProvider, orphans, providerActions } from "../../../data/providers.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { Link } from "../../../ui/link.tsx";
import { Time } from "../../../ui/time.tsx";
import { DisconnectDialog } from "./disconnect-dialog.tsx";
import { OrphanReport } from "./orphan-report.tsx";

export function AccountRow({ account }: { account: CloudProvider }) {
  const { id, name, label, account: at, provider_type: cloud, created_at } = account;
  const o = useOrganization();
  const leftOver = useQuery(orphans(o, id)).data;
  return (
    <li data-account={name} className="flex flex-wrap items-start gap-x-4 gap-y-2 border-line border-b py-3">
      <div className="flex min-w-0 grow basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span dir="auto" className="font-medium text-prose [overflow-wrap:anywhere]">
            {name}
          </span>
          <span>{label}</span>
        </p>
        <p className="flex flex-wrap gap-x-3 text-text-2">
          {at && (
            <span dir="auto" className="[overflow-wrap:anywhere]">
              {at}
            </span>
          )}
          <span>
            connected <Time at={created_at} />
          </span>
          <Link href={paths.servers(o, { provider_type: cloud })}>Servers at {label}</Link>
        </p>
        {leftOver && <OrphanReport report={leftOver} />}
      </div>
      {useMay("organization:manage") && <Disconnect account={account} />}
    </li>
  );
}

/** While a server is being ordered nothing helps; servers that need the account can become custom ones. */
function Disconnect({ account }: { account: CloudProvider }) {
  const [isAsking, setAsking] = useState(false);
  const action = useQuery(providerActions(useOrganization(), account.id)).data?.data.delete;
  const isNeeded = action?.reason === "needed";
  return (
    <>
      <Button
        compact
        icon={Unplug}
        onPress={() => setAsking(true)}
        disabledReason={isNeeded ? undefined : (action?.message ?? undefined)}
        aria-label={`Disconnect ${account.name}`}
      >
        Disconnect
      </Button>
      {isAsking && (
        <DisconnectDialog
          account={account}
          needed={isNeeded ? (action.message ?? undefined) : undefined}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
