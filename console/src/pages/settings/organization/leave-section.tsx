import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Organization } from "../../../../../contract/types.ts";
import { sentenceOf } from "../../../api/errors.ts";
import { cache } from "../../../data/cache.ts";
import { organizationActions } from "../../../data/organization-settings.ts";
import { useWrite } from "../../../data/write.ts";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Section } from "../../../ui/section.tsx";
import { showToast } from "../../../ui/toast.tsx";

/** Apart from everything else: only another member can take it back. */
export function LeaveSection({ organization }: { organization: Organization }) {
  const [isAsking, setAsking] = useState(false);
  const action = useQuery(organizationActions(organization.id)).data?.data.leave;
  const reason = action?.is_allowed === false ? (action.message ?? undefined) : undefined;
  return (
    <Section
      title="Leave"
      description="Your membership and your tokens for this organization end. What you made stays."
    >
      <Button kind="danger" className="self-start" onPress={() => setAsking(true)} disabledReason={reason}>
        Leave organization
      </Button>
      <LeaveDialog organization={organization} isOpen={isAsking} onClose={() => setAsking(false)} />
    </Section>
  );
}

interface DialogProps {
  organization: Organization;
  isOpen: boolean;
  onClose: () => void;
}

function LeaveDialog({ organization: { id, name }, isOpen, onClose }: DialogProps) {
  const navigate = useNavigate();
  const leave = useWrite("POST /api/v1/organizations/{id}/leave", {
    onDone: async ({ message }) => {
      showToast({ text: message, tone: "ok" });
      await navigate(paths.organizations());
      // What was read there is out of reach now; the start page reads where the account is.
      cache.removeQueries({ predicate: ({ queryKey }) => queryKey[0] === id });
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => {
        leave.reset();
        onClose();
      }}
      title={`Leave ${name}`}
      verb="Leave organization"
      danger
      onConfirm={() => leave.mutate({ params: { id } })}
      isPending={leave.isPending}
      refusal={sentenceOf(leave.error)}
    >
      <p>You no longer see its servers and projects. To come back, you need a new invitation.</p>
    </ConfirmDialog>
  );
}
