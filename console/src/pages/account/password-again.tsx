import type { ReactNode } from "react";
import { textsOf } from "../../parts/form-text.ts";
import { PasswordField } from "../../parts/password-field.tsx";
import { Submit } from "../../parts/submit.tsx";
import { Form } from "../../ui/form.tsx";

interface PasswordAgainProps {
  /** What happens, in a sentence. */
  children: ReactNode;
  /** Of the button. */
  verb: string;
  onPassword: (password: string) => void;
  isPending: boolean;
  error: Error | null;
}

/** Asks for the password before what changes how the account signs in. */
export const PasswordAgain = ({ children, verb, onPassword, isPending, error }: PasswordAgainProps) => (
  <Form onSubmit={(values) => onPassword(textsOf(values, "password").password)}>
    <p className="text-prose text-text-2">{children}</p>
    <PasswordField label="Password" name="password" autoFocus />
    <Submit isPending={isPending} error={error}>
      {verb}
    </Submit>
  </Form>
);
