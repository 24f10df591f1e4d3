import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from "react-router";
import type { CloudProvider, ServerRequest } from "../../../../contract/types.ts";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { providers } from "../../data/servers.ts";
import { type Snapshot, snapshots } from "../../data/snapshots.ts";
import { useWrite } from "../../data/write.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { CustomForm } from "./custom-form.tsx";
import { OrderForm } from "./order/order-form.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  return prefetch(providers(o), snapshots(o));
};

/** The snapshot that the address names: `?snapshot=7`. */
const snapshotIn = (search: URLSearchParams): number => Number(search.get("snapshot")) || 0;

/** A machine that one has, or one that is ordered. Both lead to the setup, which also shows how to let Longshore in. */
export function Component(): ReactNode {
  const o = useOrganization();
  const accounts = useQuery(providers(o));
  const taken = useQuery(snapshots(o));
  const id = snapshotIn(useSearchParams()[0]);
  const isReady = id === 0 || !(accounts.isPending || taken.isPending);
  const mayCreate = useMay("server:create");
  useTitle("New server");
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <PageHeader title="New server" parent={{ href: paths.servers(o), label: "Servers" }} />
      {!mayCreate && <p className="text-text-2">Your role in this organization does not allow to add servers.</p>}
      {mayCreate && isReady && (
        <Forms
          key={id}
          accounts={accounts.data?.data ?? []}
          isFromSnapshot={id > 0}
          snapshot={taken.data?.find((each) => each.id === id && each.state === "ready")}
        />
      )}
    </div>
  );
}

interface FormsProps {
  accounts: readonly CloudProvider[];
  isFromSnapshot: boolean;
  snapshot: Snapshot | undefined;
}

function Forms({ accounts, isFromSnapshot, snapshot }: FormsProps) {
  const [isOrder, setOrder] = useState(isFromSnapshot && accounts.length > 0);
  return (
    <>
      {isFromSnapshot && !snapshot && (
        <Notice tone="warn">The snapshot is not ready, or it was deleted: no server can be ordered from it.</Notice>
      )}
      {accounts.length > 0 && <Choice isOrder={isOrder} onChange={setOrder} accounts={accounts} />}
      {isOrder ? <Order accounts={accounts} snapshot={snapshot} /> : <Custom />}
    </>
  );
}

interface ChoiceProps {
  isOrder: boolean;
  onChange: (isOrder: boolean) => void;
  accounts: readonly CloudProvider[];
}

const Choice = ({ isOrder, onChange, accounts }: ChoiceProps) => (
  <RadioGroup
    label="Machine"
    value={isOrder ? "order" : "custom"}
    onChange={(value) => onChange(value === "order")}
    options={[
      { value: "custom", label: "One that you have", description: "Any machine with a public address and SSH." },
      {
        value: "order",
        label: "Order one",
        description: `From ${[...new Set(accounts.map(({ label }) => label))].join(", ")}, with your account there.`,
      },
    ]}
  />
);

function Custom() {
  const { create, error, isPending } = useCreate();
  return <CustomForm onSubmit={create} error={error} isPending={isPending} />;
}

interface OrderProps {
  accounts: readonly CloudProvider[];
  snapshot: Snapshot | undefined;
}

function Order(props: OrderProps) {
  const { create, error, isPending } = useCreate();
  return <OrderForm {...props} onSubmit={create} error={error} isPending={isPending} />;
}

function useCreate() {
  const o = useOrganization();
  const navigate = useNavigate();
  const write = useWrite("POST /api/v1/servers", {
    touches: ["servers"],
    onDone: ({ server_id: id }) => navigate(paths.server(o, id, "setup")),
  });
  return { create: (body: ServerRequest) => write.mutate({ body }), error: write.error, isPending: write.isPending };
}
