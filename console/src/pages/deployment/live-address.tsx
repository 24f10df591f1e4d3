import { useQuery } from "@tanstack/react-query";
import type { Deployment } from "../../../../contract/types.ts";
import { reading } from "../../data/cache.ts";
import { useOrganization } from "../../data/organization.ts";
import { Duration } from "../../ui/duration.tsx";
import { ExternalLink } from "../../ui/link.tsx";
import { Notice } from "../../ui/notice.tsx";

type Shown = Pick<Deployment, "project_id" | "created_at" | "ended_at" | "is_live">;

/** Where the release is served, and how long that took. */
export function LiveAddress({ deployment }: { deployment: Shown }) {
  const { project_id: id, created_at: createdAt, ended_at: endedAt, is_live: isLive } = deployment;
  const project = reading({ organization: useOrganization(), noun: "project", id }, "GET /api/v1/projects/{id}", {
    params: { id },
  });
  const url = useQuery({ ...project, enabled: isLive }).data?.url;
  const took = endedAt && <Duration ms={Date.parse(endedAt) - Date.parse(createdAt)} />;
  if (!isLive) return <p className="text-text-2">It was made live after {took}; another release is live now.</p>;
  return (
    <Notice
      tone="ok"
      title={url ? <ExternalLink href={url}>{url.replace(/^https?:\/\/|\/$/g, "")}</ExternalLink> : "Live"}
    >
      Live {took} after it was requested
    </Notice>
  );
}
