import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { projectsNamed } from "../data/names.ts";
import { useOrganization } from "../data/organization.ts";
import { useSettled } from "../data/project-list.ts";
import { ComboBox } from "../ui/combo-box.tsx";

/** A project, as far as a form has to know it. */
export interface ChosenProject {
  id: number;
  name: string;
  url: string;
}

interface Props {
  name: string;
  description?: string;
  value: ChosenProject | undefined;
  onChange: (project: ChosenProject) => void;
}

const typedAfterMs = 250;

/** One of all projects, found by its name or domain. */
export function ProjectField({ name, description, value, onChange }: Props) {
  const [typed, setTyped] = useState(value?.name ?? "");
  const q = useSettled(typed === value?.name ? "" : typed.trim(), typedAfterMs);
  const { data, isFetching } = useQuery({ ...projectsNamed(useOrganization(), q), placeholderData: keepPreviousData });
  const found = data?.data ?? [];
  return (
    <ComboBox
      label="Project"
      name={name}
      {...(description && { description })}
      options={found.map((each) => ({ id: each.id, label: each.name, description: each.primary_domain }))}
      isLoading={isFetching}
      empty="No project has this name."
      inputValue={typed}
      onInputChange={setTyped}
      value={value?.id ?? null}
      onChange={(id) => {
        const chosen = found.find((each) => each.id === id);
        if (!chosen) return;
        onChange(chosen);
        setTyped(chosen.name);
      }}
      isRequired
    />
  );
}
