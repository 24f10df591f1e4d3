import { useState } from "react";
import type { Member } from "../../../../../contract/types.ts";
import { fieldsOf, isStatus, sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { RestrictionEditor } from "../../../parts/restriction-editor/restriction-editor.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Form, FormActions } from "../../../ui/form.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { RoleField } from "./role-field.tsx";
import type { Decision } from "./use-decision.ts";

interface Props {
  member: Member;
  decision: Decision;
  onClose: () => void;
}

export function ChangeMember({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={`Change role and reach of ${props.member.name}`}>
      <ChangeForm {...props} />
    </Dialog>
  );
}

/** With the member as it was when the dialog opened: a change by others in the meantime is refused. */
function ChangeForm({ member: current, decision, onClose }: Props) {
  const [member] = useState(current);
  const [role, setRole] = useState(member.role);
  const [restriction, setRestriction] = useState(member.restriction);
  const params = { id: useOrganization(), userId: member.user_id };
  const change = useWrite("PUT /api/v1/organizations/{id}/members/{userId}", {
    touches: ["members", "me"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const { error, isPending } = change;
  const sentence =
    isStatus(error, 409) && error.current ? "Not changed: someone else changed the member." : sentenceOf(error);
  const body = { role, restriction, expected_updated_at: member.updated_at };
  return (
    <Form onSubmit={() => change.mutate({ params, body })} errors={fieldsOf(error)}>
      <RoleField value={role} onChange={setRole} decision={decision} />
      <RestrictionEditor value={restriction} onChange={setRestriction} />
      <FormActions refusal={sentence}>
        <Button type="submit" kind="primary" isPending={isPending}>
          Change member
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  );
}
