import type { Service, ServiceCredentials } from "../../../../../contract/types.ts";
import { request } from "../../../api/client.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Revealed } from "../../../parts/revealed.tsx";
import { Copied } from "../../../ui/copied.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Properties } from "../../../ui/properties.tsx";
import { StateIcon } from "../../../ui/state-icon.tsx";
import type { Tone } from "../../../ui/tones.ts";

interface Props {
  services: readonly Service[];
  serverId: number;
}

export function ServiceList({ services, serverId }: Props) {
  const mayRead = useMay("server:update");
  if (services.length === 0) return <Empty title="No services">The setup of this server installs none.</Empty>;
  return (
    <ul aria-label="Services" className="border-line border-t">
      {services.map((service) => (
        <li key={service.name} data-service={service.name} className="flex flex-col gap-3 border-line border-b py-3">
          <ServiceLine service={service} />
          {service.has_credentials && mayRead && <Credentials service={service} serverId={serverId} />}
        </li>
      ))}
    </ul>
  );
}

const looks: Record<string, { word: string; tone: Tone }> = {
  active: { word: "Running", tone: "ok" },
  inactive: { word: "Stopped", tone: "warn" },
  failed: { word: "Failed", tone: "bad" },
  unknown: { word: "Not known", tone: "idle" },
  not_installed: { word: "Not installed yet", tone: "idle" },
};

function ServiceLine({ service: { label, version, ports, state } }: { service: Service }) {
  return (
    <div className={lineClasses}>
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="font-medium text-prose">{label}</span>
        {version && <span className="text-text-2 tabular [overflow-wrap:anywhere]">{version}</span>}
      </p>
      {state === null ? (
        <span className="text-text-2">Runs for projects only</span>
      ) : (
        <StateIcon {...(looks[state] ?? { word: state, tone: "idle" })} state={state} />
      )}
      <span className="text-text-2 tabular max-sm:col-span-2">{portsText(ports)}</span>
    </div>
  );
}

const lineClasses =
  "grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1.5fr)_minmax(0,1fr)]";

const portsText = (ports: readonly number[]): string =>
  ports.length === 0 ? "" : `${ports.length === 1 ? "Port" : "Ports"} ${ports.join(", ")}`;

function Credentials({ service, serverId }: { service: Service; serverId: number }) {
  const organization = useOrganization();
  const ask = async () => {
    const params = { id: serverId, service: service.name };
    const { data } = await request("GET /api/v1/servers/{id}/services/{service}/credentials", { organization, params });
    return data;
  };
  return (
    <Revealed what="credentials" of={service.label} ask={ask} note="The activity records who reads them.">
      {(credentials) => <CredentialFacts credentials={credentials} />}
    </Revealed>
  );
}

export function CredentialFacts({ credentials }: { credentials: ServiceCredentials }) {
  const { host, port, database, username, password } = credentials;
  const texts = [
    { label: "Host", value: host },
    { label: "Port", value: String(port) },
    { label: "Database", value: database },
    { label: "User name", value: username },
    { label: "Password", value: password },
  ];
  const items = texts.flatMap(({ label, value }) =>
    value === null ? [] : [{ label, value: <Copied value={value} label={`Copy ${label.toLowerCase()}`} /> }],
  );
  return <Properties items={items} />;
}
