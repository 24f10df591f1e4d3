import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { isStatus } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { LinkUnusable } from "../../parts/link-unusable.tsx";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Form } from "../../ui/form.tsx";
import { ButtonLink } from "../../ui/link.tsx";

/** The mailed link `/confirm-email#TOKEN`. It waits for a press: programs that look through mail open links too. */
export function Component(): ReactNode {
  const token = useLocation().hash.slice(1);
  const confirm = useWrite("POST /api/auth/verify-email");
  const { data, error, isPending } = confirm;
  const title = "New address";
  if (token === "" || isStatus(error, 410)) {
    return (
      <LinkUnusable title={title} error={error}>
        <ButtonLink href={paths.account()}>Open the account</ButtonLink>
      </LinkUnusable>
    );
  }
  if (data) {
    return (
      <AccessFrame title={title} lead={`${data.message} From now on it signs you in.`}>
        <ButtonLink href={paths.organizations()} kind="primary">
          Continue
        </ButtonLink>
      </AccessFrame>
    );
  }
  return (
    <AccessFrame title={title} lead="Your account gets the address that this link was mailed to.">
      <Form onSubmit={() => confirm.mutate({ body: { token } })}>
        <Submit wide isPending={isPending} error={error}>
          Confirm address
        </Submit>
      </Form>
    </AccessFrame>
  );
}
