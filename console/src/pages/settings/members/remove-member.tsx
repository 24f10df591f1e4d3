import type { Member } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useWrite } from "../../../data/write.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { showToast } from "../../../ui/toast.tsx";

interface Props {
  member: Member;
  isOpen: boolean;
  onClose: () => void;
}

export function RemoveMember({ member: { user_id: userId, name, email }, isOpen, onClose }: Props) {
  const id = useOrganization();
  const remove = useWrite("DELETE /api/v1/organizations/{id}/members/{userId}", {
    touches: ["members", "tokens"],
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={`Remove ${name}`}
      verb="Remove member"
      danger
      onConfirm={() => remove.mutate({ params: { id, userId } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
    >
      <p>
        <bdi>{email}</bdi> no longer reaches the organization, and the member’s tokens for it end. What the member made
        stays.
      </p>
    </ConfirmDialog>
  );
}
