import { useMutation, useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { Passkey } from "../../../../contract/types.ts";
import { request } from "../../api/client.ts";
import { createPasskey, whyNoPasskeys } from "../../api/passkeys.ts";
import { invalidateAccount, passkeys } from "../../data/account.ts";
import { invalidate } from "../../data/cache.ts";
import { useWrite } from "../../data/write.ts";
import { Asked } from "../../parts/asked.tsx";
import { textsOf } from "../../parts/form-text.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Submit } from "../../parts/submit.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Form } from "../../ui/form.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Time } from "../../ui/time.tsx";
import { browserOf } from "./browser-of.ts";

export function PasskeySection() {
  return (
    <Section
      title="Passkeys"
      description="They sign you in without a password and a code: the device asks for your finger, face or PIN."
      actions={<AddPasskey />}
    >
      <Loaded query={useQuery(passkeys())} what="The passkeys could not be read." rows={1}>
        {(rows) => <PasskeyTable passkeys={rows} />}
      </Loaded>
    </Section>
  );
}

const columns: Column<Passkey>[] = [
  { id: "name", label: "Name", grow: true, render: ({ name }) => <span dir="auto">{name || "Passkey"}</span> },
  { id: "where", label: "Kept", render: ({ backedUp }) => (backedUp ? "Synced by the device" : "On one device") },
  {
    id: "created",
    label: "Added",
    phone: "labelled",
    render: ({ createdAt }) => (createdAt ? <Time plain at={createdAt} /> : "–"),
  },
];

export function PasskeyTable({ passkeys: rows }: { passkeys: readonly Passkey[] }) {
  if (rows.length === 0) return <Empty title="No passkeys yet" />;
  return (
    <SmallTable
      label="Passkeys"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      actions={(passkey) => <RemovePasskey passkey={passkey} />}
    />
  );
}

const changed = () => Promise.all([invalidate([null, "passkeys"]), invalidateAccount()]);

function AddPasskey() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} disabledReason={whyNoPasskeys()}>
        Add passkey
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Add passkey">
        <AddPasskeyForm onDone={close} />
      </Dialog>
    </>
  );
}

function AddPasskeyForm({ onDone }: { onDone: () => void }) {
  const add = useMutation({ mutationFn: addPasskey, onSuccess: (isAdded) => isAdded && changed().then(onDone) });
  return (
    <Form onSubmit={(values) => add.mutate(textsOf(values, "name").name)}>
      <TextField
        label="Name"
        name="name"
        description="To tell it from others later."
        defaultValue={browserOf(navigator.userAgent)}
        maxLength={100}
        isRequired
        autoFocus
      />
      {add.data === false && <p className="text-text-2">No passkey was made. Continue to try again.</p>}
      <Submit isPending={add.isPending} error={add.error}>
        Continue
      </Submit>
    </Form>
  );
}

/** False when the person cancels. */
async function addPasskey(name: string): Promise<boolean> {
  const response = await createPasskey(await request("GET /api/auth/passkey/generate-register-options"));
  if (!response) return false;
  await request("POST /api/auth/passkey/verify-registration", { body: { response, name } });
  return true;
}

function RemovePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const remove = useWrite("POST /api/auth/passkey/delete-passkey", { onDone: changed });
  const title = `Remove ${name || "passkey"}`;
  return (
    <Asked
      trigger={(ask) => <IconButton compact label={title} icon={Trash2} onPress={ask} />}
      title={title}
      verb="Remove passkey"
      danger
      write={remove}
      onConfirm={() => remove.mutate({ body: { id } })}
    >
      <p>It cannot sign in any more. Sessions continue.</p>
    </Asked>
  );
}
