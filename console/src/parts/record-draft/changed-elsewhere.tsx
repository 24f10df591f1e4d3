import { useQuery } from "@tanstack/react-query";
import type { Activity } from "../../../../contract/types.ts";
import { recordChanges } from "../../data/activity.ts";
import { useAccount } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { Button } from "../../ui/button.tsx";
import { formatList } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";

interface Props {
  /** The record, as the activity names it: "project:5". */
  subject: string;
  /** What was changed, as the form calls it, with the field of the API. */
  changed: readonly { label: string; field: string }[];
  /** Some of them were changed here too: what was typed stays, and saving replaces the other's. */
  conflicting: readonly string[];
  onDismiss: () => void;
}

/** Who changed what while the form was open. */
export function ChangedElsewhere({ subject, changed, conflicting, onDismiss }: Props) {
  const changes = useQuery({ ...recordChanges(useOrganization(), subject), staleTime: 0 }).data?.data;
  const change =
    changes &&
    changeOf(
      changes,
      changed.map(({ field }) => field),
    );
  const isMe = useAccount()?.id === change?.user_id;
  return (
    <Notice
      tone="warn"
      title={
        <>
          <span dir="auto">{!change ? "Someone" : isMe ? "You" : change.user_email}</span> changed{" "}
          {formatList(changed.map(({ label }) => label))}
          {isMe && " elsewhere"}
          {change && (
            <>
              {" "}
              <Time at={change.created_at} />
            </>
          )}
        </>
      }
      action={
        <Button compact onPress={onDismiss}>
          Dismiss
        </Button>
      }
    >
      {conflicting.length > 0
        ? `What you typed in ${formatList(conflicting)} stays. Saving replaces what is there now.`
        : "The form shows the present values."}
    </Notice>
  );
}

/** The newest change of one of the fields. */
const changeOf = (changes: readonly Activity[], fields: readonly string[]): Activity | undefined =>
  changes.find((change) =>
    change.fields.some((field) => fields.some((name) => name.split(".")[0] === field.split(".")[0])),
  );
