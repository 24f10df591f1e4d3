import type { DeploymentSummary } from "../../../../contract/types.ts";
import { useOrganization } from "../../data/organization.ts";
import { paths } from "../../paths.ts";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";

/** What is live, and since when. */
export function LiveCommit({ deployment }: { deployment: DeploymentSummary }) {
  const { id, commit_id, commit_message, git_branch, git_tag, at } = deployment;
  return (
    <span className="flex min-w-0 max-w-full items-baseline gap-2">
      <Link href={paths.deployment(useOrganization(), id)} kind="quiet" className="min-w-0 max-w-96 truncate">
        {commit_id && <code className="mr-2">{commit_id.slice(0, 7)}</code>}
        <span dir="auto">{commit_message ?? git_tag ?? git_branch}</span>
      </Link>
      <Time at={at} className="text-text-3" />
    </span>
  );
}
