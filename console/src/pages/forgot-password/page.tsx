import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fieldsOf } from "../../api/errors.ts";
import { prefetch } from "../../data/cache.ts";
import { setupState } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { textsOf } from "../../parts/form-text.ts";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Form } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";

export const loader = () => prefetch(setupState());

/** A new password by a mailed link; where the installation sends no mail, how its operator sets one. */
export function Component(): ReactNode {
  const { data, isPending } = useQuery(setupState());
  const command = data?.data.password_command ?? undefined;
  return (
    <AccessFrame
      title="New password"
      lead={
        command === undefined
          ? "A link to choose one is mailed to the address of your account."
          : "This installation sends no mail. Ask the person who operates it to set a new password for your account."
      }
    >
      {isPending ? <SkeletonRows rows={2} /> : command === undefined ? <LinkForm /> : <ByOperator command={command} />}
      <Link href={paths.signIn()} className="self-start">
        Back to sign in
      </Link>
    </AccessFrame>
  );
}

/** The answer does not tell whether the address has an account. */
function LinkForm() {
  const requestReset = useWrite("POST /api/auth/request-password-reset");
  const { data, error, isPending } = requestReset;
  return (
    <>
      {data && <Notice alert>{data.message} It works for an hour.</Notice>}
      <Form onSubmit={(values) => requestReset.mutate({ body: textsOf(values, "email") })} errors={fieldsOf(error)}>
        <TextField label="Email" name="email" type="email" autoComplete="username" isRequired autoFocus />
        <Submit wide isPending={isPending} error={error}>
          {data ? "Send another link" : "Send link"}
        </Submit>
      </Form>
    </>
  );
}

const ByOperator = ({ command }: { command: string }) => (
  <div className="flex min-w-0 flex-col gap-2">
    <p>On the machine where Longshore runs, this reads the password from its standard input:</p>
    <CodeBlock label="Copy command">{command}</CodeBlock>
  </div>
);
