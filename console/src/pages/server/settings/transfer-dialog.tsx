import { useState } from "react";
import { useNavigate } from "react-router";
import { messageOf } from "../../../api/errors.ts";
import { useAccount } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import type { WholeServer } from "../../../data/servers.ts";
import { useWrite } from "../../../data/write.ts";
import { paths } from "../../../paths.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { formatCount } from "../../../ui/format.ts";
import { Select } from "../../../ui/select.tsx";
import { showToast } from "../../../ui/toast.tsx";

export function TransferDialog({ server, onClose }: { server: WholeServer; onClose: () => void }) {
  const { id, name, projects_count: count } = server;
  const o = useOrganization();
  const navigate = useNavigate();
  const [destination, setDestination] = useState<number>();
  const owned = (useAccount()?.organizations ?? []).filter((each) => each.id !== o && each.role === "Owner");
  const transfer = useWrite("POST /api/v1/servers/{id}/transfer-organization", {
    touches: ["servers", "projects"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      void navigate(paths.servers(o));
    },
  });
  const confirm = () =>
    destination !== undefined && transfer.mutate({ params: { id }, body: { organization_id: destination } });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Transfer ${name}`}
      verb="Transfer server"
      danger
      typedName={name}
      onConfirm={confirm}
      isPending={transfer.isPending}
      refusal={transfer.error ? messageOf(transfer.error) : undefined}
      disabledReason={reasonOf(owned.length, destination)}
    >
      <p>
        {count === 0
          ? "This organization loses the server with its databases and monitors."
          : `This organization loses the server and its ${formatCount(count, "project")}, with their deployments, domains, certificates, databases and monitors. Groups stay here.`}
      </p>
      <Select
        label="Organization"
        options={owned.map((each) => ({ id: each.id, label: each.name }))}
        value={destination ?? null}
        onChange={(chosen) => setDestination(Number(chosen))}
        placeholder="Choose"
      />
    </ConfirmDialog>
  );
}

function reasonOf(owned: number, destination: number | undefined): string | undefined {
  if (owned === 0) return "You own no other organization.";
  return destination === undefined ? "Choose an organization first." : undefined;
}
