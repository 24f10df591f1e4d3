import { useNavigate } from "react-router";
import { fieldsOf, sentenceOf } from "../../api/errors.ts";
import { cache } from "../../data/cache.ts";
import { useWrite } from "../../data/write.ts";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates an organization, which then belongs to the account, and opens it. */
export function CreateOrganization(props: DialogProps) {
  return (
    <Dialog {...props} title="Create organization">
      <NewOrganization onDone={props.onClose} />
    </Dialog>
  );
}

function NewOrganization({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate();
  const create = useWrite("POST /api/v1/organizations", {
    onDone: async ({ data }) => {
      await cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === "me" });
      onDone();
      void navigate(paths.overview(data.id));
    },
  });
  return (
    <Form
      onSubmit={(values) => create.mutate({ body: { name: String(values.get("name")) } })}
      errors={fieldsOf(create.error)}
    >
      <TextField
        name="name"
        label="Name"
        description="Of a team or a client. Servers and projects belong to one organization."
        isRequired
        autoFocus
        autoComplete="off"
      />
      <FormActions refusal={sentenceOf(create.error)}>
        <Button type="submit" kind="primary" isPending={create.isPending}>
          Create organization
        </Button>
      </FormActions>
    </Form>
  );
}
