import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { projectNamesOn } from "../../data/names.ts";
import { useOrganization } from "../../data/organization.ts";
import { ComboBox } from "../../ui/combo-box.tsx";

interface Props {
  serverId: number;
  value: number | null;
  onChange: (id: number | null) => void;
  description?: string;
  isRequired?: boolean;
}

/** One of the projects on the server, or none. */
export function ProjectField({ serverId, value, onChange, description, isRequired = false }: Props) {
  const [typed, setTyped] = useState("");
  const { data, isFetching } = useQuery({
    ...projectNamesOn(useOrganization(), serverId, typed),
    placeholderData: keepPreviousData,
  });
  return (
    <ComboBox
      label="Project"
      name="project_id"
      {...(description && { description })}
      options={(data?.data ?? []).map(({ id, name }) => ({ id: String(id), label: name }))}
      isLoading={isFetching}
      empty="No project on the server has this name."
      placeholder={isRequired ? "Search" : "None"}
      isRequired={isRequired}
      inputValue={typed}
      onInputChange={(text) => {
        setTyped(text);
        if (text === "") onChange(null);
      }}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  );
}
