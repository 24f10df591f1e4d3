import type { ReactNode } from "react";
import { CreateOrganization } from "./create-organization.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import type { ShellDialog } from "./open-dialog.ts";
import { ShellPalette } from "./palette/palette.tsx";

interface Props {
  shown: ShellDialog | undefined;
  onClose: () => void;
}

export const Dialogs = ({ shown, onClose }: Props): ReactNode => (
  <>
    <ShellPalette isOpen={shown === "palette"} onClose={onClose} />
    <KeysDialog isOpen={shown === "keys"} onClose={onClose} />
    <CreateOrganization isOpen={shown === "organization"} onClose={onClose} />
  </>
);
