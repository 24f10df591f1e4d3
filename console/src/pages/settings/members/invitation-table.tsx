import { Trash2 } from "lucide-react";
import type { Invitation } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { Asked } from "../../../parts/asked.tsx";
import { restrictionInWords } from "../../../parts/reach.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";

const columns: Column<Invitation>[] = [
  {
    id: "email",
    label: "Email",
    grow: true,
    render: ({ email }) => (
      <span dir="auto" className="font-medium">
        {email}
      </span>
    ),
  },
  { id: "role", label: "Role", render: ({ role }) => <Badge>{role}</Badge> },
  { id: "reach", label: "Reach", render: ({ restriction }) => restrictionInWords(restriction) },
  { id: "expires", label: "Expires", phone: "labelled", render: (invitation) => <Expiry {...invitation} /> },
];

const Expiry = ({ status, expires_at }: Invitation) => (
  <span data-state={status} className={status === "expired" ? "text-warn" : undefined}>
    {status === "expired" && "Expired "}
    <Time plain at={expires_at} />
  </span>
);

export function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  if (invitations.length === 0) return <Empty title="No one is invited" />;
  return (
    <SmallTable
      label="Invitations"
      columns={columns}
      rows={invitations}
      rowKey={({ id }) => id}
      actions={(invitation) => <RevokeInvitation invitation={invitation} />}
    />
  );
}

function RevokeInvitation({ invitation: { id: invitationId, email } }: { invitation: Invitation }) {
  const id = useOrganization();
  const revoke = useWrite("DELETE /api/v1/organizations/{id}/invitations/{invitationId}", { touches: ["invitations"] });
  return (
    <Asked
      trigger={(ask) => <IconButton compact label={`Revoke invitation of ${email}`} icon={Trash2} onPress={ask} />}
      title={`Revoke the invitation of ${email}`}
      verb="Revoke invitation"
      danger
      write={revoke}
      onConfirm={() => revoke.mutate({ params: { id, invitationId } })}
    >
      <p>Its link can no longer be accepted.</p>
    </Asked>
  );
}
