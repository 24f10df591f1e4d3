import { Plus } from "lucide-react";
import { useState } from "react";
import { fieldsOf } from "../../api/errors.ts";
import { useMay } from "../../data/me.ts";
import { useWrite } from "../../data/write.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { textsOf } from "../form-text.ts";
import { Submit } from "../submit.tsx";
import { NewPasswordField, UsernameField } from "./account-fields.tsx";
import type { Owner, Place } from "./place.ts";
import { ProjectField } from "./project-field.tsx";
import { touches } from "./use-database.ts";
import { useHostingRefusal } from "./use-hosting-refusal.ts";

export function CreateDatabase({ place }: { place: Place }) {
  const [isOpen, setOpen] = useState(false);
  const disabledReason = useHostingRefusal(place.server.id, "create_database");
  if (!useMay("server:update")) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="primary" icon={Plus} onPress={() => setOpen(true)} disabledReason={disabledReason}>
        Create database
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title={`Create a database on ${place.server.name}`}>
        <CreateForm place={place} onClose={close} />
      </Dialog>
    </>
  );
}

/** The list shows it at once, and live when the server has it. */
function CreateForm({ place: { server, project, hasProjects }, onClose }: { place: Place; onClose: () => void }) {
  const [name, setName] = useState("");
  const [owner, setOwner] = useState<Owner | null>(project ?? null);
  const create = useWrite("POST /api/v1/servers/{id}/databases", { touches, onDone: onClose });
  const send = (values: FormData) => {
    const { username, password } = textsOf(values, "username", "password");
    create.mutate({ params: { id: server.id }, body: { name, username, password, project_id: owner?.id ?? null } });
  };
  return (
    <Form onSubmit={send} errors={fieldsOf(create.error)}>
      <TextField
        label="Name"
        name="name"
        description="Lowercase letters, digits and underscores."
        value={name}
        onChange={setName}
        isRequired
        autoFocus
        mono
        maxLength={63}
        autoComplete="off"
      />
      <UsernameField placeholder={name} />
      <NewPasswordField />
      {project ? (
        <p className="text-text-2">
          It belongs to <bdi>{project.name}</bdi>, moves with it and is deleted with it.
        </p>
      ) : (
        hasProjects && (
          <ProjectField
            serverId={server.id}
            value={owner}
            onChange={setOwner}
            description="It moves with the project and is deleted with it."
          />
        )
      )}
      <Submit isPending={create.isPending} error={create.error}>
        Create database
      </Submit>
    </Form>
  );
}
