import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Pencil, UserMinus } from "lucide-react";
import { useState } from "react";
import type { Member, MemberActions } from "../../../../../contract/types.ts";
import { useAccount, useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { memberActions } from "../../../data/organization-settings.ts";
import { restrictionInWords } from "../../../parts/reach.ts";
import { Badge } from "../../../ui/badge.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { Time } from "../../../ui/time.tsx";
import { ChangeMember } from "./change-member.tsx";
import { RemoveMember } from "./remove-member.tsx";
import type { Decision } from "./use-decision.ts";

const columns: Column<Member>[] = [
  { id: "name", label: "Name", grow: true, render: (member) => <Person {...member} /> },
  { id: "role", label: "Role", render: ({ role }) => <Badge>{role}</Badge> },
  { id: "reach", label: "Reach", render: ({ restriction }) => restrictionInWords(restriction) },
  { id: "joined", label: "Joined", phone: "labelled", render: ({ joined_at }) => <Time plain at={joined_at} /> },
];

interface Props {
  members: readonly Member[];
  decision: Decision;
}

export function MemberTable({ members, decision }: Props) {
  const mayManage = useMay("organization:manage");
  return (
    <SmallTable<Member>
      label="Members"
      columns={columns}
      rows={members}
      rowKey={({ user_id }) => user_id}
      {...(mayManage && { actions: (member) => <MemberMenu member={member} decision={decision} /> })}
    />
  );
}

function Person({ user_id, name, email }: Member) {
  const isMe = useAccount()?.id === user_id;
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span dir="auto" className="truncate font-medium">
        {name}
      </span>
      {isMe && <span className="text-text-3">you</span>}
      <span dir="auto" className="truncate text-text-2">
        {email}
      </span>
    </span>
  );
}

function MemberMenu({ member, decision }: { member: Member; decision: Decision }) {
  const [open, setOpen] = useState<"change" | "remove">();
  const refusal = useRefusal(member, decision);
  const close = () => setOpen(undefined);
  return (
    <>
      <Menu
        label={`Actions of ${member.name}`}
        trigger={<IconButton compact label={`Actions of ${member.name}`} icon={Ellipsis} />}
        sections={[
          {
            items: [
              {
                id: "change",
                label: "Change role and reach",
                icon: Pencil,
                onAction: () => setOpen("change"),
                disabledReason: refusal("update"),
              },
            ],
          },
          {
            items: [
              {
                id: "remove",
                label: "Remove member",
                icon: UserMinus,
                danger: true,
                onAction: () => setOpen("remove"),
                disabledReason: refusal("remove"),
              },
            ],
          },
        ]}
      />
      <ChangeMember member={member} decision={decision} isOpen={open === "change"} onClose={close} />
      <RemoveMember member={member} isOpen={open === "remove"} onClose={close} />
    </>
  );
}

/** Only of Owners can one be the last, which the API knows. */
function useRefusal(member: Member, { refusalFor }: Decision): (verb: keyof MemberActions) => string | undefined {
  const o = useOrganization();
  const actions = useQuery({ ...memberActions(o, member.user_id), enabled: member.role === "Owner" }).data?.data;
  return (verb) => {
    const action = actions?.[verb];
    return refusalFor(member.role) ?? (action?.is_allowed === false ? (action.message ?? undefined) : undefined);
  };
}
