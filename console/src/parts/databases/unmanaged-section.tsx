import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fieldsOf } from "../../api/errors.ts";
import { type Database, type UnmanagedDatabase, unmanagedDatabases } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { Bytes } from "../../ui/bytes.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { textsOf } from "../form-text.ts";
import { Loaded } from "../loaded.tsx";
import { Submit } from "../submit.tsx";
import { NewPasswordField, UsernameField } from "./account-fields.tsx";
import type { Owner, Place } from "./place.ts";
import { ProjectField } from "./project-field.tsx";
import { touches } from "./use-database.ts";
import { useHostingRefusal } from "./use-hosting-refusal.ts";
import { characterSetOf } from "./words.ts";

const columns: readonly Column<UnmanagedDatabase>[] = [
  { id: "name", label: "Name", grow: true, render: ({ name }) => <bdi>{name}</bdi> },
  {
    id: "character_set",
    label: "Character set",
    phone: "hidden",
    render: (row) => <span className="text-text-2">{characterSetOf(row)}</span>,
  },
  {
    id: "size",
    label: "Size",
    align: "end",
    render: ({ size_bytes: size }) => (size === null ? "–" : <Bytes value={size} />),
  },
];

interface Props {
  place: Place;
  /** Those of Longshore. One that was just adopted is among the others until the server is looked at again. */
  managed: readonly Database[];
}

/** What the server has and Longshore did not make. Nothing while there is none. */
export function UnmanagedSection({ place, managed }: Props) {
  const query = useQuery(unmanagedDatabases(useOrganization(), place.server.id));
  const [adopted, setAdopted] = useState<string>();
  const names = new Set(managed.map(({ database_name: name }) => name));
  const others = query.data?.data.filter(({ name }) => !names.has(name));
  if (query.isPending || others?.length === 0) return null;
  return (
    <Section
      title="Found on the server"
      description="Longshore did not create these and leaves them alone. An adopted one becomes like the others."
    >
      <Loaded query={query} what="The other databases of the server could not be read." rows={1}>
        {() => <UnmanagedTable serverId={place.server.id} databases={others ?? []} onAdopt={setAdopted} />}
      </Loaded>
      {adopted !== undefined && (
        <Dialog isOpen onClose={() => setAdopted(undefined)} title={`Adopt ${adopted}`}>
          <AdoptForm place={place} name={adopted} onClose={() => setAdopted(undefined)} />
        </Dialog>
      )}
    </Section>
  );
}

interface TableProps {
  serverId: number;
  databases: readonly UnmanagedDatabase[];
  onAdopt: (name: string) => void;
}

function UnmanagedTable({ serverId, databases, onAdopt }: TableProps) {
  const refusal = useHostingRefusal(serverId, "adopt_database");
  const mayAdopt = useMay("server:update");
  return (
    <SmallTable
      label="Found on the server"
      columns={columns}
      rows={databases}
      rowKey={({ name }) => name}
      {...(mayAdopt && {
        actions: ({ name, adoptable }: UnmanagedDatabase) => (
          <Button compact onPress={() => onAdopt(name)} disabledReason={adoptable ? refusal : notAdoptable}>
            Adopt
          </Button>
        ),
      })}
    />
  );
}

const notAdoptable =
  "Its name must have 1 to 63 lowercase letters, digits and underscores, a letter first. Rename it on the server to adopt it.";

interface AdoptProps {
  place: Place;
  name: string;
  onClose: () => void;
}

function AdoptForm({ place: { server, hasProjects }, name, onClose }: AdoptProps) {
  const [owner, setOwner] = useState<Owner | null>(null);
  const adopt = useWrite("POST /api/v1/servers/{id}/databases/adopt", { touches, onDone: onClose });
  const send = (values: FormData) => {
    const { username, password } = textsOf(values, "username", "password");
    adopt.mutate({ params: { id: server.id }, body: { name, username, password, project_id: owner?.id ?? null } });
  };
  return (
    <Form onSubmit={send} errors={fieldsOf(adopt.error)}>
      <p className="text-text-2">
        It gets a user of Longshore's, who has all rights on it. The users that it has keep their rights and passwords.
      </p>
      <TextField label="Name" name="name" value={name} isReadOnly mono />
      <UsernameField placeholder={name} />
      <NewPasswordField />
      {hasProjects && <ProjectField serverId={server.id} value={owner} onChange={setOwner} />}
      <Submit isPending={adopt.isPending} error={adopt.error}>
        Adopt database
      </Submit>
    </Form>
  );
}
