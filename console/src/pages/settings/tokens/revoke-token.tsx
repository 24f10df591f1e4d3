import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Token } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";

interface Props {
  token: Token;
  /** The row goes, and the dialog with it, when it is done. */
  revoke: { isPending: boolean; error: Error | null; reset: () => void };
  onConfirm: () => void;
}

export function RevokeToken({ token: { name }, revoke, onConfirm }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <IconButton compact label={`Revoke token ${name}`} icon={Trash2} onPress={() => setAsking(true)} />
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => {
          revoke.reset();
          setAsking(false);
        }}
        title={`Revoke ${name}`}
        verb="Revoke token"
        danger
        onConfirm={onConfirm}
        isPending={revoke.isPending}
        refusal={sentenceOf(revoke.error)}
      >
        <p>The next request with it is refused. This cannot be taken back.</p>
      </ConfirmDialog>
    </>
  );
}
