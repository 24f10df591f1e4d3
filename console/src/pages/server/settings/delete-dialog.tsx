import { useNavigate } from "react-router";
import { request } from "../../../api/client.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { useWrite } from "../../../data/write.ts";
import { Losses } from "../../../parts/losses.tsx";
import { paths } from "../../../paths.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { showToast } from "../../../ui/toast.tsx";

const deletion = "DELETE /api/v1/servers/{id}";

export function DeleteDialog({ server, onClose }: { server: WholeServer; onClose: () => void }) {
  const { id, name, is_this_machine: isOwn } = server;
  const o = useOrganization();
  const navigate = useNavigate();
  const params = { id };
  const remove = useWrite(deletion, {
    touches: ["servers", "projects"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      void navigate(paths.servers(o));
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      verb="Delete server"
      danger
      typedName={name}
      onConfirm={() => remove.mutate({ params, query: { confirm: name, keep_live: true } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      {isOwn && (
        <Notice title="Longshore itself stays">
          It runs on this machine, keeps running, and can add the machine again.
        </Notice>
      )}
      <Losses
        queryKey={[o, "server", id, "losses"]}
        ask={(signal) =>
          request(deletion, { organization: o, params, query: { keep_live: true, dry_run: true }, signal })
        }
      />
    </ConfirmDialog>
  );
}
