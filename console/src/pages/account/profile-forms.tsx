import { fieldsOf } from "../../api/errors.ts";
import { invalidateAccount } from "../../data/account.ts";
import { useWhyNoMail } from "../../data/me.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { Submit } from "../../parts/submit.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast.tsx";

export function NameForm({ name }: { name: string }) {
  const save = useWrite("PUT /api/v1/me", {
    onDone: async ({ message }) => {
      await invalidateAccount();
      showToast({ text: message });
    },
  });
  return (
    <Form onSubmit={(values) => save.mutate({ body: textsOf(values, "name") })} errors={fieldsOf(save.error)}>
      <TextField label="Name" name="name" defaultValue={name} autoComplete="name" isRequired maxLength={100} />
      <Submit kind="secondary" isPending={save.isPending} error={save.error}>
        Save
      </Submit>
    </Form>
  );
}

/** The address changes when the link in the mail is used, so that it is one's own. */
export function EmailForm({ email }: { email: string }) {
  const change = useWrite("POST /api/auth/change-email");
  const { data, error, isPending } = change;
  const whyNoMail = useWhyNoMail();
  return (
    <Form onSubmit={(values) => change.mutate({ body: textsOf(values, "newEmail") })} errors={fieldsOf(error)}>
      <TextField
        label="Email"
        name="newEmail"
        type="email"
        defaultValue={email}
        autoComplete="email"
        description="A link is mailed to the new address, which signs you in once the link is used."
        isRequired
      />
      {whyNoMail && <Notice tone="warn">{whyNoMail}</Notice>}
      {data && <Notice alert>{data.message}</Notice>}
      <Submit kind="secondary" isPending={isPending} error={error}>
        Change email
      </Submit>
    </Form>
  );
}
