import { useState } from "react";
import { fieldsOf } from "../../api/errors.ts";
import { useWrite } from "../../data/write.ts";
import { textsOf } from "../../parts/form-text.ts";
import { PasswordField } from "../../parts/password-field.tsx";
import { Submit } from "../../parts/submit.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";

export function PasswordForm({ email }: { email: string }) {
  const [saved, setSaved] = useState(0);
  const change = useWrite("POST /api/auth/change-password", {
    touches: ["sessions"],
    onDone: () => {
      setSaved(saved + 1);
      showToast({ text: "The password was changed." });
    },
  });
  const send = (values: FormData) =>
    change.mutate({
      body: { ...textsOf(values, "currentPassword", "newPassword"), revokeOtherSessions: values.has("signOut") },
    });
  return (
    // Empty again after each change.
    <Form key={saved} onSubmit={send} errors={fieldsOf(change.error)}>
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField label="Current password" name="currentPassword" />
      <PasswordField label="New password" name="newPassword" isNew />
      <Checkbox name="signOut" defaultSelected>
        Sign out everywhere else
      </Checkbox>
      <Submit kind="secondary" isPending={change.isPending} error={change.error}>
        Change password
      </Submit>
    </Form>
  );
}
