import { useState } from "react";
import { useNavigate } from "react-router";
import type { StatusPage } from "../../../../contract/types.ts";
import { sentenceOf } from "../../api/errors.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Section } from "../../ui/section.tsx";
import { showToast } from "../../ui/toast.tsx";

/** Apart from everything else: what people wrote is lost. */
export function DeleteSection({ page }: { page: StatusPage }) {
  const [isAsking, setAsking] = useState(false);
  if (!useMay("monitor:manage")) return null;
  return (
    <Section title="Delete" description="Visitors and feed readers get 404. The monitors stay.">
      <Button kind="danger" className="self-start" onPress={() => setAsking(true)}>
        Delete status page
      </Button>
      {isAsking && <DeleteDialog page={page} onClose={() => setAsking(false)} />}
    </Section>
  );
}

function DeleteDialog({ page: { id, name }, onClose }: { page: StatusPage; onClose: () => void }) {
  const o = useOrganization();
  const navigate = useNavigate();
  const remove = useWrite("DELETE /api/v1/status-pages/{id}", {
    touches: ["status_pages"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      return navigate(paths.statusPages(o));
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${name}`}
      verb="Delete status page"
      danger
      typedName={name}
      onConfirm={() => remove.mutate({ params: { id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>All of its incidents are deleted with it. Its address is free for another page.</p>
    </ConfirmDialog>
  );
}
