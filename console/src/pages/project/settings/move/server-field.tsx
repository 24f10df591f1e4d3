import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { appServers } from "../../../../data/new-project.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { useSettled } from "../../../../data/project-list.ts";
import { isWhole, roomOf, whyNot } from "../../../../parts/app-servers.ts";
import { ComboBox } from "../../../../ui/combo-box.tsx";

interface Props {
  /** The server that the project is on. */
  present: number;
  value: number | undefined;
  onChange: (id: number) => void;
}

const typedAfterMs = 250;

/** The server to move to, found by typing, each with its room or why it accepts no project. */
export function ServerField({ present, value, onChange }: Props) {
  const [typed, setTyped] = useState("");
  const q = useSettled(value === undefined ? typed.trim() : "", typedAfterMs);
  const { data, isFetching } = useQuery({ ...appServers(useOrganization(), q), placeholderData: keepPreviousData });
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
      inputValue={typed}
      onInputChange={setTyped}
      value={value ?? null}
      onChange={(id) => {
        if (id === null) return;
        onChange(Number(id));
        setTyped(found.find((server) => server.id === id)?.name ?? "");
      }}
      isRequired
    />
  );
}
