import { X } from "lucide-react";
import { useState } from "react";
import { ComboBox } from "../../ui/combo-box.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { useSearch } from "../../ui/use-search.ts";
import type { Choice } from "./use-choice.ts";

interface Props {
  noun: "server" | "project" | "monitor";
  label: string;
  description?: string;
  ids: readonly number[];
  onChange: (ids: number[]) => void;
  /** What can be chosen for a text, and the names of what was. */
  useChoice: (q: string, ids: readonly number[]) => Choice;
}

/** Records that were chosen, each with a button that takes it away, and a field that finds further ones. */
export function ChosenRecords({ noun, label, description, ids, onChange, useChoice }: Props) {
  // A field that is emptied after a choice opens again: each choice gets a new one.
  const [field, setField] = useState(0);
  const search = useSearch();
  const { found, isLoading, names } = useChoice(search.q, ids);
  const choose = (id: number) => {
    onChange([...ids, id]);
    search.choose("");
    setField(field + 1);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <ComboBox
        key={field}
        autoFocus={field > 0}
        label={label}
        description={description}
        placeholder={`Add ${noun}`}
        options={found.filter(({ id }) => !ids.includes(Number(id)))}
        isLoading={isLoading}
        empty={`No other ${noun} has this name.`}
        search={search}
        menuTrigger={field > 0 ? "input" : "focus"}
        value={null}
        onChange={(id) => id !== null && choose(Number(id))}
      />
      {ids.length > 0 && (
        <ul aria-label={`Chosen ${noun}s`} className="border-line border-t">
          {ids.map((id) => {
            const name = names.get(id) ?? `${noun} ${id}`;
            return (
              <li key={id} className="flex items-center justify-between gap-2 border-line border-b py-0.5">
                <span dir="auto" className="truncate">
                  {name}
                </span>
                <IconButton
                  compact
                  label={`Take ${name} away`}
                  icon={X}
                  onPress={() => onChange(ids.filter((other) => other !== id))}
                />
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
