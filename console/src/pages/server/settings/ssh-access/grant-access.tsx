import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fieldsOf, sentenceOf } from "../../../../api/errors.ts";
import { useAccount, useMay } from "../../../../data/me.ts";
import { people } from "../../../../data/names.ts";
import { useOrganization } from "../../../../data/organization.ts";
import type { WholeServer } from "../../../../data/servers.ts";
import { organizationKeys, peopleKeys, type SshAccess, type SshKey } from "../../../../data/ssh-keys.ts";
import { useWrite } from "../../../../data/write.ts";
import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/button.tsx";
import { ComboBox } from "../../../../ui/combo-box.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../../ui/form.tsx";
import { Link } from "../../../../ui/link.tsx";
import { showToast } from "../../../../ui/toast.tsx";
import { useServerRefusals } from "../../use-server.ts";

interface Props {
  server: WholeServer;
  /** The keys that are on it. */
  present: readonly SshAccess[];
}

export function GrantAccess({ server, present }: Props) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useServerRefusals(server);
  const close = () => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)} disabledReason={refusal("grant_ssh_access")}>
        Add SSH key
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Add an SSH key to ${server.name}`}>
        <GrantForm server={server} present={present} onClose={close} />
      </Dialog>
    </>
  );
}

function GrantForm({ server: { id, name }, present, onClose }: Props & { onClose: () => void }) {
  const [chosen, setChosen] = useState<number>();
  const options = useKeyOptions(present);
  const grant = useWrite("POST /api/v1/servers/{id}/ssh-access", {
    touches: ["ssh_access"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = () => chosen !== undefined && grant.mutate({ params: { id }, body: { ssh_key_id: chosen } });
  return (
    <Form onSubmit={send} errors={fieldsOf(grant.error)}>
      <ComboBox
        label="SSH key"
        name="ssh_key_id"
        options={options}
        value={chosen ?? null}
        onChange={(key) => setChosen(key === null ? undefined : Number(key))}
        empty="There is no other key."
        placeholder="Find by name or person"
        description={<KeysLink />}
      />
      <p className="text-text-2">
        It opens root's account on <bdi className="font-medium">{name}</bdi>, and with it all projects, their secrets
        and databases. A later change of the person's role does not take it away.
      </p>
      <FormActions refusal={sentenceOf(grant.error)}>
        <Button
          type="submit"
          kind="primary"
          isPending={grant.isPending}
          disabledReason={chosen === undefined ? "Choose a key first." : undefined}
        >
          Add SSH key
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

const KeysLink = () => (
  <>
    A new one is added in the <Link href={paths.settings(useOrganization(), "ssh-keys")}>settings</Link> first.
  </>
);

/** The keys that can be added: one's own first, then those of the organization and of members. */
function useKeyOptions(present: readonly SshAccess[]) {
  const o = useOrganization();
  const me = useAccount()?.id;
  const ofPeople = useQuery(peopleKeys(o)).data ?? [];
  const ofOrganization = useQuery(organizationKeys(o)).data?.data ?? [];
  const members = useQuery({ ...people(o), enabled: useMay("organization:read") }).data?.data ?? [];
  const there = new Set(present.filter(({ is_removed }) => !is_removed).map(({ ssh_key_id }) => ssh_key_id));
  const mine = ofPeople.filter(({ user_id }) => user_id === me);
  const others = ofPeople.filter(({ user_id }) => user_id !== me);
  const ownerOf = ({ owner, user_id }: SshKey): string => {
    if (owner === "organization") return "organization";
    return user_id === me ? "you" : (members.find((member) => member.user_id === user_id)?.name ?? `user ${user_id}`);
  };
  return [...mine, ...ofOrganization, ...others]
    .filter(({ id }) => !there.has(id))
    .map((key) => ({ id: key.id, label: `${key.name} (${ownerOf(key)})`, description: key.fingerprint }));
}
