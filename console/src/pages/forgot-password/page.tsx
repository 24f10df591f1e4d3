import type { ReactNode } from "react";
import { fieldsOf } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { textsOf } from "../../parts/form-text.ts";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Form } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** Mails a link to a new password. The answer does not tell whether the address has an account. */
export function Component(): ReactNode {
  const requestReset = useWrite("POST /api/auth/request-password-reset");
  const { data, error, isPending } = requestReset;
  return (
    <AccessFrame title="New password" lead="A link to choose one is mailed to the address of your account.">
      {data && <Notice alert>{data.message} It works for an hour.</Notice>}
      <Form onSubmit={(values) => requestReset.mutate({ body: textsOf(values, "email") })} errors={fieldsOf(error)}>
        <TextField label="Email" name="email" type="email" autoComplete="username" isRequired autoFocus />
        <Submit wide isPending={isPending} error={error}>
          {data ? "Send another link" : "Send link"}
        </Submit>
      </Form>
      <Link href={paths.signIn()} className="self-start">
        Back to sign in
      </Link>
    </AccessFrame>
  );
}
