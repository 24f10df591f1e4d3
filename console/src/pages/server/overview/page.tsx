import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useOrganization } from "../../../data/organization.ts";
import { environmentNames } from "../../../data/projects.ts";
import { providers, type WholeServer } from "../../../data/servers.ts";
import { setupLook } from "../../../parts/server-state/setup-words.ts";
import { paths } from "../../../paths.ts";
import { formatMoney } from "../../../ui/format.ts";
import { Link } from "../../../ui/link.tsx";
import { Properties, type Property } from "../../../ui/properties.tsx";
import { Section } from "../../../ui/section.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import { Time } from "../../../ui/time.tsx";
import { ConnectSection } from "../connect-section.tsx";
import { useServer } from "../use-server.ts";
import { ServerNotices } from "./notices.tsx";

export function Component(): ReactNode {
  const server = useServer();
  const label = useProviderLabel(server);
  const setup = paths.server(useOrganization(), server.id, "setup");
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <ServerNotices server={server} />
      {server.connect_command && <ConnectSection server={server} command={server.connect_command} />}
      <Section title="Server">
        <Properties
          items={[
            ...propertiesOf(server, label),
            { label: "Setup", value: <SetupLink server={server} href={setup} /> },
          ]}
        />
      </Section>
    </div>
  );
}

/** The provider's own name, of the account with which the server was ordered. */
function useProviderLabel({ provider_id: id, provider_type: type }: WholeServer): string {
  const accounts = useQuery(providers(useOrganization())).data?.data;
  if (type === "custom") return "Custom";
  const account = accounts?.find((each) => each.id === id);
  return account ? `${account.label}, ${account.name}` : "Cloud";
}

function SetupLink({ server, href }: { server: WholeServer; href: string }) {
  return (
    <Link href={href} kind="quiet">
      <StateIcon {...setupLook(server)} />
    </Link>
  );
}

export function propertiesOf(server: WholeServer, provider: string): Property[] {
  const { monthly_price_gross: price, price_currency: currency, environment, notes } = server;
  return [
    { label: "Public IP", value: server.public_ip && <code>{server.public_ip}</code> },
    { label: "Private IP", value: server.private_ip && <code>{server.private_ip}</code> },
    { label: "SSH port", value: server.ssh_port },
    { label: "Operating system", value: server.operating_system },
    { label: "Provider", value: <span dir="auto">{provider}</span> },
    { label: "Price a month", value: price && currency && formatMoney(price, currency) },
    { label: "Time zone", value: server.timezone },
    { label: "Environment", value: environment && environmentNames[environment] },
    { label: "Added", value: <Time at={`${server.created_at.replace(" ", "T")}Z`} /> },
    {
      label: "Notes",
      value: notes && (
        <span dir="auto" className="whitespace-pre-line">
          {notes}
        </span>
      ),
    },
  ];
}
