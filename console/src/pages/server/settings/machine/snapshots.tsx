import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fieldsOf, sentenceOf } from "../../../../api/errors.ts";
import { useMay } from "../../../../data/me.ts";
import { useOrganization } from "../../../../data/organization.ts";
import type { WholeServer } from "../../../../data/servers.ts";
import { snapshots } from "../../../../data/snapshots.ts";
import { useWrite } from "../../../../data/write.ts";
import { textsOf } from "../../../../parts/form-text.ts";
import { Loaded } from "../../../../parts/loaded.tsx";
import { SnapshotTable } from "../../../../parts/snapshots/snapshot-table.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Empty } from "../../../../ui/empty.tsx";
import { Form, FormActions } from "../../../../ui/form.tsx";
import { Section } from "../../../../ui/section.tsx";
import { TextField } from "../../../../ui/text-field.tsx";
import { showToast } from "../../../../ui/toast.tsx";
import { useServerRefusals } from "../../use-server.ts";

/** Images of the server's machine. */
export function SnapshotsSection({ server }: { server: WholeServer }) {
  const query = useQuery(snapshots(useOrganization()));
  return (
    <Section
      title="Snapshots"
      description="Copies of the whole disk, from which further servers can be ordered. The provider bills each until it is deleted, also after the server is."
      actions={<TakeSnapshot server={server} />}
    >
      <Loaded query={query} what="The snapshots could not be read." rows={2}>
        {(all) => {
          const own = all.filter(({ server_id }) => server_id === server.id);
          if (own.length > 0) return <SnapshotTable snapshots={own} />;
          return (
            <Empty title="No snapshots of this server">
              A server that is ordered from one has its packages already, so that its setup takes seconds.
            </Empty>
          );
        }}
      </Loaded>
    </Section>
  );
}

/** The provider bills it: the permission is that of an order. */
function TakeSnapshot({ server }: { server: WholeServer }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useServerRefusals(server);
  const close = () => setOpen(false);
  if (!useMay("server:create")) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)} disabledReason={refusal("snapshot")}>
        Take snapshot
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Take a snapshot of ${server.name}`}>
        <SnapshotForm server={server} onClose={close} />
      </Dialog>
    </>
  );
}

function SnapshotForm({ server: { id }, onClose }: { server: WholeServer; onClose: () => void }) {
  const take = useWrite("POST /api/v1/servers/{id}/snapshots", {
    touches: ["snapshots"],
    onDone: ({ message }) => {
      showToast({ text: message });
      onClose();
    },
  });
  const send = (values: FormData) => take.mutate({ params: { id }, body: textsOf(values, "name") });
  return (
    <Form onSubmit={send} errors={fieldsOf(take.error)}>
      <TextField
        label="Name"
        name="name"
        description="Also its name at the provider."
        isRequired
        autoFocus
        maxLength={100}
        autoComplete="off"
      />
      <p className="text-text-2">
        The server keeps running: the copy is as after a power cut. Databases, sites, keys and passwords of the server
        are in it.
      </p>
      <FormActions refusal={sentenceOf(take.error)}>
        <Button type="submit" kind="primary" isPending={take.isPending}>
          Take snapshot
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
