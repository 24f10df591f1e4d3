import { useState } from "react";
import { Palette } from "../../../ui/palette.tsx";
import { useGroups } from "./use-groups.ts";

/** Finds the organization's records, and does what can be done from everywhere. */
export function ShellPalette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  // Of its own while open: it begins empty each time, and reads nothing while closed.
  return isOpen ? <OpenPalette onClose={onClose} /> : null;
}

function OpenPalette({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState("");
  const { groups, isLoading } = useGroups(query);
  return <Palette isOpen onClose={onClose} query={query} onQuery={setQuery} groups={groups} isLoading={isLoading} />;
}
