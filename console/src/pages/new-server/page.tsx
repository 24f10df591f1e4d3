import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from "react-router";
import type { CloudProvider, ServerRequest } from "../../../../contract/types.ts";
import { prefetch } from "../../data/cache.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { providers, type ThisMachine, thisMachine } from "../../data/servers.ts";
import { type Snapshot, snapshots } from "../../data/snapshots.ts";
import { useWrite } from "../../data/write.ts";
import { useTitle } from "../../parts/use-title.ts";
import { paths } from "../../paths.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { CustomForm } from "./custom-form.tsx";
import { OrderForm } from "./order/order-form.tsx";
import { ThisMachineForm } from "./this-machine-form.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const o = Number(params.organization);
  return prefetch(providers(o), snapshots(o), thisMachine(o));
};

/** The snapshot that the address names: `?snapshot=7`. */
const snapshotIn = (search: URLSearchParams): number => Number(search.get("snapshot")) || 0;

/** Which machine the address names: `?machine=this`. */
const machineIn = (search: URLSearchParams): string => search.get("machine") ?? "";

/** A machine that one has, or one that is ordered. Both lead to the setup, which also shows how to let Longshore in. */
export function Component(): ReactNode {
  const o = useOrganization();
  const accounts = useQuery(providers(o));
  const taken = useQuery(snapshots(o));
  const mayCreate = useMay("server:create");
  const own = useQuery({ ...thisMachine(o), enabled: mayCreate });
  const [search] = useSearchParams();
  const [id, wanted] = [snapshotIn(search), machineIn(search)];
  const isReady = (id === 0 || !(accounts.isPending || taken.isPending)) && (wanted === "" || !own.isPending);
  useTitle("New server");
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <PageHeader title="New server" parent={{ href: paths.servers(o), label: "Servers" }} />
      {!mayCreate && <p className="text-text-2">Your role in this organization does not allow to add servers.</p>}
      {mayCreate && isReady && (
        <Forms
          key={id}
          accounts={accounts.data?.data ?? []}
          own={own.data?.data}
          isOwnWanted={wanted === "this"}
          isFromSnapshot={id > 0}
          snapshot={taken.data?.find((each) => each.id === id && each.state === "ready")}
        />
      )}
    </div>
  );
}

interface FormsProps {
  accounts: readonly CloudProvider[];
  own: ThisMachine | undefined;
  isOwnWanted: boolean;
  isFromSnapshot: boolean;
  snapshot: Snapshot | undefined;
}

type Machine = "own" | "custom" | "order";

function Forms({ accounts, own, isOwnWanted, isFromSnapshot, snapshot }: FormsProps) {
  const isOffered = own?.is_offered === true;
  const [machine, setMachine] = useState<Machine>(firstMachine());
  function firstMachine(): Machine {
    if (isFromSnapshot && accounts.length > 0) return "order";
    return isOwnWanted && isOffered ? "own" : "custom";
  }
  return (
    <>
      {isFromSnapshot && !snapshot && (
        <Notice tone="warn">The snapshot is not ready, or it was deleted: no server can be ordered from it.</Notice>
      )}
      {isOwnWanted && own?.reason && (
        <Notice tone="warn">
          <p dir="auto">{own.reason}</p>
        </Notice>
      )}
      {(accounts.length > 0 || isOffered) && (
        <Choice machine={machine} onChange={setMachine} accounts={accounts} isOwnOffered={isOffered} />
      )}
      {machine === "order" && <Order accounts={accounts} snapshot={snapshot} />}
      {machine === "custom" && <Custom />}
      {machine === "own" && own && <Own own={own} />}
    </>
  );
}

interface ChoiceProps {
  machine: Machine;
  onChange: (machine: Machine) => void;
  accounts: readonly CloudProvider[];
  isOwnOffered: boolean;
}

const Choice = ({ machine, onChange, accounts, isOwnOffered }: ChoiceProps) => (
  <RadioGroup
    label="Machine"
    value={machine}
    onChange={(value) => onChange(value as Machine)}
    options={[
      ...(isOwnOffered ? [ownOption] : []),
      { value: "custom", label: "One that you have", description: "Any machine with a public address and SSH." },
      ...(accounts.length > 0 ? [orderOption(accounts)] : []),
    ]}
  />
);

const ownOption = {
  value: "own",
  label: "This machine",
  description: "The one that Longshore runs on: one machine for everything.",
};

const orderOption = (accounts: readonly CloudProvider[]) => ({
  value: "order",
  label: "Order one",
  description: `From ${[...new Set(accounts.map(({ label }) => label))].join(", ")}, with your account there.`,
});

function Own({ own }: { own: ThisMachine }) {
  const { create, error, isPending } = useCreate();
  return <ThisMachineForm own={own} onSubmit={create} error={error} isPending={isPending} />;
}

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
