import { useState } from "react";
import type { NewInvitation, Restriction } from "../../../../../contract/types.ts";
import { fieldsOf, sentenceOf } from "../../../api/errors.ts";
import { useWhyNoMail } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { textsOf } from "../../../parts/form-text.ts";
import { RestrictionEditor } from "../../../parts/restriction-editor/restriction-editor.tsx";
import { ShownOnce } from "../../../parts/shown-once.tsx";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { RoleField } from "./role-field.tsx";
import { type Role, useDecision } from "./use-decision.ts";

export function InviteMember({ disabledReason }: { disabledReason: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="primary" onPress={() => setOpen(true)} disabledReason={disabledReason}>
        Invite member
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Invite member">
        <Invite onClose={close} />
      </Dialog>
    </>
  );
}

function Invite({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewInvitation>();
  return created ? (
    <InvitationLink invitation={created} onClose={onClose} />
  ) : (
    <InviteForm onClose={onClose} onCreated={setCreated} />
  );
}

interface FormProps {
  onClose: () => void;
  onCreated: (invitation: NewInvitation) => void;
}

function InviteForm({ onClose, onCreated }: FormProps) {
  const [role, setRole] = useState<Role>("Member");
  const [restriction, setRestriction] = useState<Restriction | null>(null);
  const params = { id: useOrganization() };
  const whyNoMail = useWhyNoMail();
  const invite = useWrite("POST /api/v1/organizations/{id}/invitations", {
    touches: ["invitations"],
    onDone: ({ data }) => onCreated(data),
  });
  const send = (values: FormData) =>
    invite.mutate({ params, body: { email: textsOf(values, "email").email, role, restriction } });
  return (
    <Form onSubmit={send} errors={fieldsOf(invite.error)}>
      <TextField label="Email" name="email" type="email" isRequired autoFocus autoComplete="off" />
      {whyNoMail && <Notice tone="warn">{`${whyNoMail} Pass the link on that is shown next.`}</Notice>}
      <RoleField value={role} onChange={setRole} decision={useDecision()} />
      <RestrictionEditor value={restriction} onChange={setRestriction} />
      <FormActions refusal={sentenceOf(invite.error)}>
        <Button type="submit" kind="primary" isPending={invite.isPending}>
          Invite member
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}

/** The API shows the link once. */
function InvitationLink({ invitation, onClose }: { invitation: NewInvitation; onClose: () => void }) {
  const isMailed = useWhyNoMail() === undefined;
  return (
    <ShownOnce value={location.origin + paths.invitation(invitation.token)} copyLabel="Copy link" onClose={onClose}>
      <bdi className="font-medium">{invitation.email}</bdi> is invited.{" "}
      {isMailed ? "The link is mailed." : "No mail is sent: pass the link on yourself."} It is shown only now; anyone
      who has it can accept.
    </ShownOnce>
  );
}
