import { useState } from "react";
import type { CustomServerRequest } from "../../../../contract/types.ts";
import { type ServerType, serverTypes } from "../../data/servers.ts";
import { textsOf } from "../../parts/form-text.ts";
import { TimeZoneField } from "../../parts/time-zone-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";

type Engine = NonNullable<CustomServerRequest["database_engine"]>;

/** What a server of each type carries. */
const carried: Record<ServerType, string> = {
  0: "Web server, PHP, Node and a database engine: projects run on it.",
  1: "A database engine, for your other servers.",
  2: "Redis, for your other servers.",
  3: "Meilisearch, for your other servers.",
  4: "Distributes the visitors of a project over several App servers.",
};

const engines: Record<Engine, string> = { mariadb: "MariaDB", postgresql: "PostgreSQL", none: "None" };
const hasEngine = (type: ServerType): boolean => type === 0 || type === 1;

/** Those that every server has, ordered or not. */
export function ServerFields() {
  const [type, setType] = useState<ServerType>(0);
  return (
    <>
      <Select
        label="Type"
        name="server_type"
        description={carried[type]}
        options={Object.entries(serverTypes).map(([id, label]) => ({ id, label }))}
        value={String(type)}
        onChange={(id) => setType(Number(id) as ServerType)}
      />
      {hasEngine(type) && <EngineField />}
      <ZoneField />
    </>
  );
}

export const EngineField = () => (
  <Select
    label="Database engine"
    name="database_engine"
    options={Object.entries(engines).map(([id, label]) => ({ id, label }))}
    defaultValue="mariadb"
  />
);

export function ZoneField() {
  const [zone, setZone] = useState("UTC");
  return <TimeZoneField value={zone} onChange={setZone} />;
}

export const NameField = () => (
  <TextField
    label="Name"
    name="name"
    description="What it is called here. If it is empty, Longshore makes one up."
    autoComplete="off"
  />
);

/** What these fields hold, as the API takes it. */
export function serverValues(values: FormData) {
  const {
    name,
    server_type: type,
    database_engine: engine,
    timezone,
  } = textsOf(values, "name", "server_type", "database_engine", "timezone");
  return {
    ...(name.trim() && { name: name.trim() }),
    server_type: Number(type) as ServerType,
    ...(engine && { database_engine: engine as Engine }),
    ...(timezone && { timezone }),
  };
}

export const systems = {
  ubuntu_26_04: "Ubuntu 26.04",
  ubuntu_24_04: "Ubuntu 24.04",
  ubuntu_22_04: "Ubuntu 22.04",
  debian_13: "Debian 13",
  debian_12: "Debian 12",
} satisfies Record<CustomServerRequest["server_os"], string>;
