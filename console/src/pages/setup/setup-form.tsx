import { useLocation } from "react-router";
import { fieldsOf } from "../../api/errors.ts";
import { useEnter } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { PasswordField } from "../../parts/password-field.tsx";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";

export function SetupForm() {
  // After a `#`, the code is in no request and so in no log.
  const codeOfLink = useLocation().hash.slice(1);
  const enter = useEnter();
  const setUp = useWrite("POST /api/v1/setup", { onDone: ({ data }) => enter(paths.overview(data.organization_id)) });
  const fields = fieldsOf(setUp.error);
  const send = (values: FormData) =>
    setUp.mutate({
      body: { code: codeOfLink, ...textsOf(values, "name", "email", "password", "organization"), ...given(values) },
    });
  return (
    <Form onSubmit={send} errors={fields}>
      {(codeOfLink === "" || fields?.code) && (
        <TextField
          label="Code"
          name="code"
          description="What the start of Longshore printed after the # of the address."
          defaultValue={codeOfLink}
          autoComplete="off"
          isRequired
          autoFocus={codeOfLink === ""}
          mono
        />
      )}
      <TextField
        label="Name"
        name="name"
        autoComplete="name"
        isRequired
        maxLength={100}
        autoFocus={codeOfLink !== ""}
      />
      <TextField label="Email" name="email" type="email" autoComplete="username" isRequired />
      <PasswordField label="Password" name="password" isNew />
      <TextField
        label="Organization"
        name="organization"
        description="Your company or team."
        autoComplete="organization"
        isRequired
        maxLength={100}
      />
      <Submit wide isPending={setUp.isPending} error={setUp.error}>
        Continue
      </Submit>
    </Form>
  );
}

/** The code, where its field is shown. */
const given = (values: FormData) => (values.has("code") ? textsOf(values, "code") : {});
