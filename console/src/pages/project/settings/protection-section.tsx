import { useState } from "react";
import type { ProjectReply } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useWrite } from "../../../data/write.ts";
import { textsOf } from "../../../parts/form-text.ts";
import { PasswordField } from "../../../parts/password-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Section } from "../../../ui/section.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useProjectRefusals } from "../use-project.ts";

/** A user name and password that the web server asks visitors for. The API shows the password nowhere. */
export function ProtectionSection({ project }: { project: ProjectReply }) {
  const { basic_auth_user: user } = project;
  const [opened, setOpened] = useState<"set" | "remove">();
  const reason = useProjectRefusals(project)("update");
  const close = () => setOpened(undefined);
  return (
    <Section
      title="Password protection"
      description={
        user === null ? (
          "Everyone can visit the site."
        ) : (
          <>
            Visitors sign in as <code>{user}</code>.
          </>
        )
      }
      actions={
        <>
          {user !== null && (
            <Button onPress={() => setOpened("remove")} disabledReason={reason}>
              Remove protection
            </Button>
          )}
          <Button onPress={() => setOpened("set")} disabledReason={reason}>
            {user === null ? "Protect site" : "Change password"}
          </Button>
        </>
      }
    >
      {opened === "set" && <SetDialog project={project} onClose={close} />}
      {opened === "remove" && <RemoveDialog project={project} onClose={close} />}
    </Section>
  );
}

interface DialogProps {
  project: ProjectReply;
  onClose: () => void;
}

/** The request waits for the web server, so that its message has the result. */
const useProtection = (onClose: () => void) =>
  useWrite("PUT /api/v1/projects/{id}", {
    touches: ["project"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });

function SetDialog({ project: { id, basic_auth_user: user }, onClose }: DialogProps) {
  const protect = useProtection(onClose);
  const send = (values: FormData) => {
    const typed = textsOf(values, "basic_auth.username", "basic_auth.password");
    const basic_auth = { username: typed["basic_auth.username"], password: typed["basic_auth.password"] };
    protect.mutate({ params: { id }, body: { basic_auth } });
  };
  return (
    <Dialog isOpen onClose={onClose} title={user === null ? "Protect site" : "Change password"}>
      <Form onSubmit={send} errors={fieldsOf(protect.error)}>
        <TextField
          label="User name"
          name="basic_auth.username"
          description="Without a colon, and no # at its beginning."
          defaultValue={user ?? ""}
          isRequired
          autoComplete="off"
        />
        <PasswordField
          label="Password"
          name="basic_auth.password"
          description="8 to 200 characters."
          isNew
          maxLength={200}
        />
        <FormActions refusal={sentenceOf(protect.error)}>
          <Button type="submit" kind="primary" isPending={protect.isPending}>
            {user === null ? "Protect site" : "Change password"}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ project: { id, name }, onClose }: DialogProps) {
  const protect = useProtection(onClose);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove the protection of ${name}`}
      verb="Remove protection"
      danger
      onConfirm={() => protect.mutate({ params: { id }, body: { basic_auth: null } })}
      isPending={protect.isPending}
      refusal={sentenceOf(protect.error)}
    >
      <p>Everyone can visit the site at once.</p>
    </ConfirmDialog>
  );
}
