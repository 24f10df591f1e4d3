import type { Token } from "../../../../../contract/types.ts";
import { useAccount } from "../../../data/me.ts";
import { useWrite } from "../../../data/write.ts";
import { Empty } from "../../../ui/empty.tsx";
import { type Column, SmallTable } from "../../../ui/small-table.tsx";
import { expiryColumn, nameColumn, permissionsColumn, usedColumn } from "./columns.tsx";
import { RevokeToken } from "./revoke-token.tsx";

const where: Column<Token> = { id: "where", label: "Organization", render: (token) => <Where {...token} /> };

export function OwnTokenTable({ tokens }: { tokens: readonly Token[] }) {
  if (tokens.length === 0) return <Empty title="No tokens yet">A program that deploys or reads needs one.</Empty>;
  return (
    <SmallTable
      label="Your tokens"
      columns={[nameColumn, permissionsColumn, where, usedColumn, expiryColumn]}
      rows={tokens}
      rowKey={({ id }) => id}
      actions={(token) => <RevokeOwn token={token} />}
    />
  );
}

function Where({ organization_id, is_bound }: Token) {
  const known = useAccount()?.organizations ?? [];
  if (organization_id === null) return "The current one";
  const name = known.find(({ id }) => id === organization_id)?.name ?? `organization ${organization_id}`;
  return (
    <>
      {is_bound && "Only "}
      <bdi>{name}</bdi>
    </>
  );
}

function RevokeOwn({ token }: { token: Token }) {
  const revoke = useWrite("DELETE /api/v1/me/tokens/{id}", { touches: ["tokens"] });
  return <RevokeToken token={token} write={revoke} onConfirm={() => revoke.mutate({ params: { id: token.id } })} />;
}
