import { GitBranch, Tag } from "lucide-react";
import type { Deployment } from "../../../contract/types.ts";
import { classNames } from "../ui/class-names.ts";
import { ExternalLink } from "../ui/link.tsx";

export interface CommitLineProps {
  commit: Pick<Deployment, "commit_id" | "commit_url" | "commit_message" | "git_branch" | "git_tag">;
  /** In a row that is a link itself. */
  plain?: boolean;
  /** On one line, whatever its length. */
  truncates?: boolean;
}

/** What is deployed: the message, the commit at its git host, and the branch or the tag. */
export function CommitLine({ commit, plain = false, truncates = false }: CommitLineProps) {
  const { commit_id: id, commit_url: url, commit_message: message, git_branch: branch, git_tag: tag } = commit;
  const Icon = tag === null ? GitBranch : Tag;
  const hash = id?.slice(0, 7);
  return (
    <span className={classNames("inline-flex max-w-full min-w-0 items-baseline gap-x-2", !truncates && "flex-wrap")}>
      {message && (
        <span dir="auto" className={truncates ? "min-w-0 truncate" : "[overflow-wrap:anywhere]"}>
          {message.split("\n", 1)[0]}
        </span>
      )}
      {hash && (
        <code className="shrink-0 text-text-2">
          {url && !plain ? <ExternalLink href={url}>{hash}</ExternalLink> : hash}
        </code>
      )}
      {(tag ?? branch) && (
        <span className="inline-flex max-w-48 min-w-0 shrink-0 items-baseline gap-1 text-text-3">
          <Icon role="img" aria-label={tag === null ? "Branch" : "Tag"} size={12} className="shrink-0 self-center" />
          <span dir="auto" className="truncate">
            {tag ?? branch}
          </span>
        </span>
      )}
      {!message && !hash && <span className="text-text-3">The commit is not known yet</span>}
    </span>
  );
}
