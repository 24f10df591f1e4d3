import { sentenceOf } from "../../../api/errors.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { useWrite } from "../../../data/write.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { formatCount } from "../../../ui/format.ts";
import { Notice } from "../../../ui/notice.tsx";
import { showToast } from "../../../ui/toast.tsx";

export function RebootDialog({ server, onClose }: { server: WholeServer; onClose: () => void }) {
  const { id, name, projects_count: count, is_this_machine: isOwn } = server;
  const reboot = useWrite("POST /api/v1/servers/{id}/reboot", {
    touches: ["server", "servers"],
    onDone: ({ message }) => {
      showToast({ text: message });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Reboot ${name}`}
      verb="Reboot server"
      danger
      typedName={name}
      onConfirm={() => reboot.mutate({ params: { id }, query: { confirm: name } })}
      isPending={reboot.isPending}
      refusal={sentenceOf(reboot.error)}
    >
      <p>
        {count === 0
          ? "Nothing on it is reachable until it is back, usually after a minute."
          : `Its ${formatCount(count, "project is", "projects are")} not served until it is back, usually after a minute.`}
      </p>
      {isOwn && (
        <Notice tone="warn" title="Longshore itself runs on this machine">
          This page is away too until the machine is back. If it does not come back, only its provider or its console
          helps.
        </Notice>
      )}
    </ConfirmDialog>
  );
}
