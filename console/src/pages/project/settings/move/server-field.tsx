import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { appServers } from "../../../../data/new-project.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { isWhole, roomOf, whyNot } from "../../../../parts/app-servers.ts";
import { ComboBox } from "../../../../ui/combo-box.tsx";
import { useSearch } from "../../../../ui/use-search.ts";

interface Props {
  /** The server that the project is on. */
  present: number;
  value: number | undefined;
  onChange: (id: number) => void;
}

/** The server to move to, found by typing, each with its room or why it accepts no project. */
export function ServerField({ present, value, onChange }: Props) {
  const search = useSearch();
  const read = appServers(useOrganization(), search.q);
  const { data, isFetching } = useQuery({ ...read, placeholderData: keepPreviousData });
  const found = (data?.data ?? []).filter(isWhole).filter(({ id }) => id !== present);
  return (
    <ComboBox
      label="Server"
      name="server_id"
      description="Of the type App, in this organization."
      options={found.map((server) => ({
        id: server.id,
        label: server.name,
        description: roomOf(server),
        disabledReason: whyNot(server),
      }))}
      isLoading={isFetching}
      empty="There is no other server of this name."
      search={search}
      value={value ?? null}
      onChange={(id) => id !== null && onChange(Number(id))}
      isRequired
    />
  );
}
