import { useState } from "react";
import { ApiError } from "../../api/errors.ts";
import { useEnter } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { Submit } from "../../parts/submit.tsx";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";

type Kind = "app" | "backup";

const kinds = {
  app: {
    description: "The six digits that your authenticator app shows for Longshore.",
    other: "Use a backup code",
    input: { inputMode: "numeric", autoComplete: "one-time-code" },
  },
  backup: {
    description: "One of those that were shown when you set up the second factor. Each works once.",
    other: "Use the authenticator app",
    input: { autoComplete: "off" },
  },
} as const;

/** After the password, for accounts with a second factor. */
export function SecondFactorStep({ onExpired }: { onExpired: () => void }) {
  const [kind, setKind] = useState<Kind>("app");
  const { verify, isPending, error } = useProof(kind);
  const { description, other, input } = kinds[kind];
  if (error instanceof ApiError && error.code === "INVALID_TWO_FACTOR_COOKIE") {
    return (
      <Form onSubmit={onExpired}>
        <p className="text-prose">It took too long since the password. Sign in again.</p>
        <Submit wide isPending={false}>
          Continue
        </Submit>
      </Form>
    );
  }
  return (
    <>
      <Form key={kind} onSubmit={(values) => verify(textsOf(values, "code").code)}>
        <TextField label="Code" name="code" description={description} {...input} isRequired autoFocus mono />
        <Submit wide isPending={isPending} error={error}>
          Continue
        </Submit>
      </Form>
      <Button kind="quiet" className="self-start" onPress={() => setKind(kind === "app" ? "backup" : "app")}>
        {other}
      </Button>
    </>
  );
}

function useProof(kind: Kind) {
  const enter = useEnter();
  const onDone = () => enter();
  const app = useWrite("POST /api/auth/two-factor/verify-totp", { onDone });
  const backup = useWrite("POST /api/auth/two-factor/verify-backup-code", { onDone });
  const { mutate, isPending, error } = kind === "app" ? app : backup;
  const verify = (typed: string) => mutate({ body: { code: typed.replace(/\s/g, "") } });
  return { verify, isPending, error };
}
