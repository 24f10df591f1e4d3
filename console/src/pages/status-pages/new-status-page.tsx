import { Plus } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { fieldsOf, sentenceOf } from "../../api/errors.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { ChosenRecords } from "../../parts/chosen-records/chosen-records.tsx";
import { useMonitorChoice } from "../../parts/chosen-records/use-choice.ts";
import { paths } from "../../paths.ts";
import { Button, type ButtonKind } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { slugOf } from "./slug.ts";

export function NewStatusPage({ kind }: { kind: ButtonKind }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind={kind} icon={Plus} onPress={() => setOpen(true)}>
        New status page
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="New status page">
        <CreateForm onClose={close} />
      </Dialog>
    </>
  );
}

function CreateForm({ onClose }: { onClose: () => void }) {
  const o = useOrganization();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [typedSlug, setSlug] = useState<string>();
  const [ids, setIds] = useState<readonly number[]>([]);
  const slug = typedSlug ?? slugOf(name);
  const create = useWrite("POST /api/v1/status-pages", {
    touches: ["status_pages"],
    onDone: ({ data }) => navigate(paths.statusPage(o, data.id)),
  });
  const send = () => create.mutate({ body: { name: name.trim(), slug, monitors: ids.map((id) => ({ id })) } });
  return (
    <Form onSubmit={send} errors={fieldsOf(create.error)}>
      <TextField
        label="Name"
        name="name"
        description="Its heading."
        value={name}
        onChange={setName}
        isRequired
        autoFocus
        autoComplete="off"
      />
      <TextField
        label="Address"
        name="slug"
        description="Lowercase letters, digits and hyphens. A domain of its own can be set later."
        before="/status/"
        value={slug}
        onChange={setSlug}
        isRequired
        mono
        autoComplete="off"
      />
      <ChosenRecords
        noun="monitor"
        label="Monitors"
        description="In the order in which visitors see them."
        ids={ids}
        onChange={setIds}
        useChoice={useMonitorChoice}
      />
      <FormActions refusal={sentenceOf(create.error)}>
        <Button type="submit" kind="primary" isPending={create.isPending}>
          Create status page
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
