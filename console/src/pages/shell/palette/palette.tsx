import { useCommands } from "./use-commands.ts";

export function Palette({ isOpen }: { isOpen: boolean; onClose: () => void }) {
  useCommands("");
  return isOpen ? null : null;
}
