import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { appServers } from "../../data/new-project.ts";
import { useOrganization } from "../../data/organization.ts";
import { useSettled } from "../../data/project-list.ts";
import { type AppServer, isWhole, roomOf, whyNot } from "../../parts/app-servers.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Section } from "../../ui/section.tsx";

interface Props {
  values: { server_id: number | null };
  set: (values: { server_id: number }) => void;
  servers: readonly AppServer[];
}

/** More are found by typing. */
const mostInView = 8;

/** Where the project runs. */
export function ServerFields(props: Props) {
  return (
    <Section title="Server">{props.servers.length > mostInView ? <Found {...props} /> : <All {...props} />}</Section>
  );
}

function All({ values, set, servers }: Props) {
  return (
    <RadioGroup
      label="Runs on"
      name="server_id"
      value={values.server_id === null ? null : String(values.server_id)}
      onChange={(id) => set({ server_id: Number(id) })}
      isRequired
      options={servers.map((server) => ({
        value: String(server.id),
        label: <span dir="auto">{server.name}</span>,
        description: roomOf(server),
        disabledReason: whyNot(server),
      }))}
    />
  );
}

const typedAfterMs = 250;

function Found({ values, set, servers }: Props) {
  const chosen = servers.find(({ id }) => id === values.server_id);
  const [typed, setTyped] = useState(chosen?.name ?? "");
  const q = useSettled(typed === chosen?.name ? "" : typed.trim(), typedAfterMs);
  const { data, isFetching } = useQuery({ ...appServers(useOrganization(), q), placeholderData: keepPreviousData });
  const found = (data?.data ?? []).filter(isWhole);
  return (
    <ComboBox
      label="Runs on"
      name="server_id"
      options={found.map((server) => ({
        id: String(server.id),
        label: server.name,
        description: roomOf(server),
        disabledReason: whyNot(server),
      }))}
      isLoading={isFetching}
      empty="No server has this name."
      inputValue={typed}
      onInputChange={setTyped}
      value={values.server_id === null ? null : String(values.server_id)}
      onChange={(id) => {
        if (id === null) return;
        set({ server_id: Number(id) });
        setTyped(found.find((server) => String(server.id) === id)?.name ?? "");
      }}
      isRequired
    />
  );
}
