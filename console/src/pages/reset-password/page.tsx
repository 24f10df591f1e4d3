import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { fieldsOf, isStatus } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { textsOf } from "../../parts/form-text.ts";
import { LinkUnusable } from "../../parts/link-unusable.tsx";
import { PasswordField } from "../../parts/password-field.tsx";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Form } from "../../ui/form.tsx";
import { ButtonLink } from "../../ui/link.tsx";

/** The mailed link `/reset-password#TOKEN`: a new password, which ends all sessions. */
export function Component(): ReactNode {
  const token = useLocation().hash.slice(1);
  const reset = useWrite("POST /api/auth/reset-password");
  const { data, error, isPending } = reset;
  if (data) return <Changed message={data.message} />;
  if (token === "" || isStatus(error, 410)) {
    return (
      <LinkUnusable title="New password" error={error}>
        <ButtonLink href={paths.forgotPassword()}>Send another link</ButtonLink>
      </LinkUnusable>
    );
  }
  return (
    <AccessFrame title="New password" lead="It signs you in from now on. All sessions of the account end.">
      <Form
        onSubmit={(values) =>
          reset.mutate({ body: { token, newPassword: textsOf(values, "newPassword").newPassword } })
        }
        errors={fieldsOf(error)}
      >
        <PasswordField label="New password" name="newPassword" isNew autoFocus />
        <Submit wide isPending={isPending} error={error}>
          Change password
        </Submit>
      </Form>
    </AccessFrame>
  );
}

const Changed = ({ message }: { message: string }) => (
  <AccessFrame title="New password" lead={message}>
    <ButtonLink href={paths.signIn()} kind="primary">
      Sign in
    </ButtonLink>
  </AccessFrame>
);
