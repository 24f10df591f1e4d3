import type { ReactNode } from "react";
import { isStatus } from "../../api/errors.ts";
import { useEnter } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { LinkUnusable } from "../../parts/link-unusable.tsx";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Form } from "../../ui/form.tsx";
import { ButtonLink } from "../../ui/link.tsx";

/** The printed link `/sign-in#TOKEN`. It waits for a press, so that a link alone signs no one in to the account of another person. */
export function LinkStep({ token }: { token: string }): ReactNode {
  const enter = useEnter();
  const signIn = useWrite("POST /api/auth/sign-in/link", { onDone: () => enter() });
  const { error, isPending } = signIn;
  const title = "Sign in";
  if (isStatus(error, 410)) {
    return (
      <LinkUnusable title={title} error={error}>
        <ButtonLink href={paths.signIn()} kind="primary">
          Sign in with a password
        </ButtonLink>
      </LinkUnusable>
    );
  }
  return (
    <AccessFrame title={title} lead="This link was printed where Longshore runs. It signs you in once.">
      <Form onSubmit={() => signIn.mutate({ body: { token } })}>
        <Submit wide isPending={isPending} error={error}>
          Sign in
        </Submit>
      </Form>
    </AccessFrame>
  );
}
