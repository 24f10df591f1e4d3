import type { MemberToken } from "../../../../../contract/types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { Empty } from "../../../ui/empty.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { expiryColumn, nameColumn, permissionsColumn, usedColumn } from "./columns.tsx";
import { RevokeToken } from "./revoke-token.tsx";

const whose: Column<MemberToken> = {
  id: "whose",
  label: "Whose",
  render: ({ user }) => (
    <span dir="auto" title={user.email} className="block max-w-48 truncate">
      {user.name}
    </span>
  ),
};

export function MemberTokenTable({ tokens }: { tokens: readonly MemberToken[] }) {
  if (tokens.length === 0) return <Empty title="No member has a token for this organization" />;
  return (
    <SmallTable
      label="Tokens of the organization"
      columns={[nameColumn, whose, permissionsColumn, usedColumn, expiryColumn]}
      rows={tokens}
      rowKey={({ id }) => id}
      actions={(token) => <RevokeOfMember token={token} />}
    />
  );
}

function RevokeOfMember({ token }: { token: MemberToken }) {
  const id = useOrganization();
  const revoke = useWrite("DELETE /api/v1/organizations/{id}/tokens/{tokenId}", { touches: ["tokens"] });
  const confirm = () => revoke.mutate({ params: { id, tokenId: token.id } });
  return <RevokeToken token={token} write={revoke} onConfirm={confirm} />;
}
