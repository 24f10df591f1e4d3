import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { appServers } from "../../data/new-project.ts";
import { useOrganization } from "../../data/organization.ts";
import { type AppServer, isWhole, roomOf, whyNot } from "../../parts/app-servers.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Section } from "../../ui/section.tsx";
import { useSearch } from "../../ui/use-search.ts";

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

function Found({ values, set, servers }: Props) {
  const search = useSearch(servers.find(({ id }) => id === values.server_id)?.name);
  const read = appServers(useOrganization(), search.q);
  const { data, isFetching } = useQuery({ ...read, placeholderData: keepPreviousData });
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
      search={search}
      value={values.server_id === null ? null : String(values.server_id)}
      onChange={(id) => id !== null && set({ server_id: Number(id) })}
      isRequired
    />
  );
}
