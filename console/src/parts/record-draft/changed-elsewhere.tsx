import { useQuery } from "@tanstack/react-query";
import type { Activity } from "../../../../contract/types.ts";
import { useAccount } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectChanges } from "../../data/projects.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";

interface Props {
  projectId: number;
  /** What was changed, as the form calls it, with the field of the API. */
  changed: readonly { label: string; field: string }[];
  /** Some of them were changed here too: what was typed stays, and saving replaces the other's. */
  conflicting: readonly string[];
  onDismiss: () => void;
}

/** Who changed what while the form was open. */
export function ChangedElsewhere({ projectId, changed, conflicting, onDismiss }: Props) {
  const changes = useQuery({ ...projectChanges(useOrganization(), projectId), staleTime: 0 }).data?.data;
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
          {listed(changed.map(({ label }) => label))}
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
        ? `What you typed in ${listed(conflicting)} stays. Saving replaces what is there now.`
        : "The form shows the present values."}
    </Notice>
  );
}

/** The newest change of one of the fields. */
const changeOf = (changes: readonly Activity[], fields: readonly string[]): Activity | undefined =>
  changes.find((change) =>
    change.fields.some((field) => fields.some((name) => name.split(".")[0] === field.split(".")[0])),
  );

/** "Name", "Name and Branch", "Name, Branch and Notes". */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
