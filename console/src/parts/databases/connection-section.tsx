import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type Database, databaseConnection } from "../../data/databases.ts";
import { serverNames } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { frameworks } from "../../data/projects.ts";
import { isWhole, server as serverRead } from "../../data/servers.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { Loaded } from "../loaded.tsx";

/** Those of the project that it belongs to, or general ones. */
const byDefault = "default";

/** How a project connects to it. The password is read when one asks for it, and forgotten when it is hidden. */
export function ConnectionSection({ database }: { database: Database }) {
  const [framework, setFramework] = useState(byDefault);
  const [from, setFrom] = useState(database.server_id);
  const [isShown, setShown] = useState(false);
  return (
    <Section title="Connection settings" description="Lines for a .env file, with the password.">
      <div className="flex flex-wrap items-end gap-3">
        <FrameworkSelect database={database} value={framework} onChange={setFramework} />
        <ServerSelect database={database} value={from} onChange={setFrom} />
        <Button onPress={() => setShown(!isShown)}>{isShown ? "Hide settings" : "Show settings"}</Button>
      </div>
      {isShown && (
        <Lines
          database={database}
          query={{
            ...(framework !== byDefault && { framework }),
            ...(from !== database.server_id && { server_id: from }),
          }}
        />
      )}
    </Section>
  );
}

interface SelectProps<Value> {
  database: Database;
  value: Value;
  onChange: (value: Value) => void;
}

function FrameworkSelect({ database, value, onChange }: SelectProps<string>) {
  const known = useQuery(frameworks(useOrganization())).data?.data ?? [];
  const first = database.project_id === null ? "Any, as DATABASE_URL" : "That of the project";
  return (
    <Select
      label="Framework"
      className="w-56"
      options={[{ id: byDefault, label: first }, ...known.map(({ name: id, label }) => ({ id, label }))]}
      value={value}
      onChange={(id) => onChange(String(id))}
    />
  );
}

/** Only a Database server lets other servers connect. */
function ServerSelect({ database, value, onChange }: SelectProps<number>): ReactNode {
  const o = useOrganization();
  const own = useQuery(serverRead(o, database.server_id)).data?.data;
  const isOpen = own !== undefined && isWhole(own) && own.server_type === 1;
  const servers = useQuery({ ...serverNames(o), enabled: isOpen }).data?.data ?? [];
  if (!isOpen) return null;
  const others = servers.filter(({ id }) => id !== own.id);
  return (
    <Select
      label="Connects from"
      className="w-56"
      options={[{ id: own.id, label: own.name }, ...others.map(({ id, name }) => ({ id, label: name }))]}
      value={value}
      onChange={(id) => onChange(Number(id))}
    />
  );
}

interface LinesProps {
  database: Database;
  query: Parameters<typeof databaseConnection>[2];
}

function Lines({ database, query }: LinesProps) {
  const connection = useQuery(databaseConnection(useOrganization(), database, query));
  return (
    <Loaded query={connection} what="The settings could not be read." rows={2}>
      {({ data: { environment_variables: lines, host, port, tls_required: needsTls } }) => (
        <div className="flex min-w-0 flex-col gap-2">
          <CodeBlock label="Copy settings">{lines.trimEnd()}</CodeBlock>
          <p className="text-text-2">
            The engine answers at{" "}
            <code>
              {host}:{port}
            </code>
            {needsTls ? ", and refuses connections without TLS." : "."}
          </p>
        </div>
      )}
    </Loaded>
  );
}
