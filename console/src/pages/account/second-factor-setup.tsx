import { useState } from "react";
import type { SecondFactorSecrets } from "../../../../contract/types.ts";
import { invalidateAccount } from "../../data/account.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { QrCode } from "../../parts/qr-code.tsx";
import { Submit } from "../../parts/submit.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { BackupCodes } from "./backup-codes.tsx";
import { PasswordAgain } from "./password-again.tsx";

/** Password, then the app proves with a code that it has the secret, then the backup codes. */
export function SecondFactorSetup({ onDone }: { onDone: () => void }) {
  const [isProven, setProven] = useState(false);
  const prepare = useWrite("POST /api/auth/two-factor/enable");
  if (!prepare.data) {
    return (
      <PasswordAgain
        verb="Continue"
        isPending={prepare.isPending}
        error={prepare.error}
        onPassword={(password) => prepare.mutate({ body: { password } })}
      >
        You need an authenticator app on your phone, or a password manager that makes codes.
      </PasswordAgain>
    );
  }
  if (!isProven) return <Proof secrets={prepare.data} onProven={() => setProven(true)} />;
  return <BackupCodes codes={prepare.data.backupCodes} onDone={onDone} />;
}

function Proof({ secrets: { totpURI }, onProven }: { secrets: SecondFactorSecrets; onProven: () => void }) {
  const verify = useWrite("POST /api/auth/two-factor/verify-totp", {
    // The session is another one now.
    touches: ["sessions"],
    onDone: async () => {
      onProven();
      await invalidateAccount();
    },
  });
  const secret = URL.parse(totpURI)?.searchParams.get("secret") ?? "";
  const send = (values: FormData) => verify.mutate({ body: { code: textsOf(values, "code").code.replace(/\s/g, "") } });
  return (
    <Form onSubmit={send}>
      <p className="text-prose text-text-2">Scan this with the app, or type the key into it.</p>
      <QrCode text={totpURI} label="QR code with the key" />
      <CodeBlock label="Copy key">{secret}</CodeBlock>
      <TextField
        label="Code"
        name="code"
        description="The six digits that the app shows now."
        inputMode="numeric"
        autoComplete="one-time-code"
        isRequired
        autoFocus
        mono
      />
      <Submit isPending={verify.isPending} error={verify.error}>
        Continue
      </Submit>
    </Form>
  );
}
