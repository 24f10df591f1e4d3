import { fieldsOf } from "../../api/errors.ts";
import { useEnter, useSignOut } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { PasswordField } from "../../parts/password-field.tsx";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";

function useAcceptance() {
  const enter = useEnter();
  return useWrite("POST /api/v1/invitations/accept", {
    onDone: ({ data }) => enter(paths.overview(data.organization_id)),
  });
}

/** For the account that is signed in. */
export function AcceptAsMember({ token }: { token: string }) {
  const accept = useAcceptance();
  return (
    <Form onSubmit={() => accept.mutate({ body: { token } })}>
      <Submit wide isPending={accept.isPending} error={accept.error}>
        Accept invitation
      </Submit>
    </Form>
  );
}

/** Makes an account, which is signed in. */
export function AcceptAsNew({ token, email }: { token: string; email: string }) {
  const accept = useAcceptance();
  const send = (values: FormData) => accept.mutate({ body: { token, ...textsOf(values, "name", "password") } });
  return (
    <Form onSubmit={send} errors={fieldsOf(accept.error)}>
      <TextField label="Name" name="name" autoComplete="name" isRequired maxLength={100} autoFocus />
      {/* For password managers: they keep the password under this name. */}
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField label="Password" name="password" isNew />
      <Submit wide isPending={accept.isPending} error={accept.error}>
        Accept invitation
      </Submit>
    </Form>
  );
}

interface SignInAsInvitedProps {
  token: string;
  email: string;
  signedInAs: string;
}

/** For a browser in which another account is signed in. */
export function SignInAsInvited({ token, email, signedInAs }: SignInAsInvitedProps) {
  const signOut = useSignOut(paths.invitation(token));
  return (
    <div className="flex flex-col gap-3">
      <p className="text-prose [overflow-wrap:anywhere]">
        You are signed in as {signedInAs}, and the invitation is for {email}. Sign out to accept it.
      </p>
      <Button kind="primary" onPress={() => signOut.mutate()} isPending={signOut.isPending}>
        Sign out
      </Button>
    </div>
  );
}
