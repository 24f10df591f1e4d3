import { type ReactNode, useCallback, useMemo, useState } from "react";
import { CreateOrganization } from "./create-organization.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { OpenDialog, type ShellDialog } from "./open-dialog.ts";
import { ShellPalette } from "./palette/palette.tsx";
import { useShellKeys } from "./use-shell-keys.ts";

/** The dialogs that every page has, and the keys that open them. */
export function ShellDialogs({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShellDialog>();
  const close = useCallback(() => setShown(undefined), []);
  const keys = useMemo(() => ({ open: setShown, isOpen: shown !== undefined }), [shown]);
  useShellKeys(keys);
  return (
    <OpenDialog value={setShown}>
      {children}
      <ShellPalette isOpen={shown === "palette"} onClose={close} />
      <KeysDialog isOpen={shown === "keys"} onClose={close} />
      <CreateOrganization isOpen={shown === "organization"} onClose={close} />
    </OpenDialog>
  );
}
