import { KeyRound } from "lucide-react";
import { sentenceOf } from "../../api/errors.ts";
import { whyNoPasskeys } from "../../api/passkeys.ts";
import { useEnter } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { PasswordField } from "../../parts/password-field.tsx";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Link } from "../../ui/link.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { usePasskeySignIn } from "./use-passkey-sign-in.ts";

export function PasswordStep({ onSecondFactor }: { onSecondFactor: () => void }) {
  const enter = useEnter();
  const signIn = useWrite("POST /api/auth/sign-in/email", {
    onDone: ({ twoFactorRedirect }) => (twoFactorRedirect ? onSecondFactor() : enter()),
  });
  return (
    <>
      <Form onSubmit={(values) => signIn.mutate({ body: textsOf(values, "email", "password") })}>
        <TextField label="Email" name="email" type="email" autoComplete="username webauthn" isRequired autoFocus />
        <PasswordField label="Password" name="password" />
        <Submit wide isPending={signIn.isPending} error={signIn.error}>
          Sign in
        </Submit>
      </Form>
      {whyNoPasskeys() === undefined && <PasskeyButton />}
      <Link href={paths.forgotPassword()} className="self-start">
        Choose a new password
      </Link>
    </>
  );
}

function PasskeyButton() {
  const { ask, isPending, error } = usePasskeySignIn();
  const sentence = sentenceOf(error);
  return (
    <div className="flex flex-col gap-2">
      <Button icon={KeyRound} onPress={ask} isPending={isPending} className="w-full">
        Use a passkey
      </Button>
      {sentence && (
        <p role="alert" className="text-bad">
          {sentence}
        </p>
      )}
    </div>
  );
}
