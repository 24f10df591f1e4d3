import { useQuery } from "@tanstack/react-query";
import type { MoveRequest, Planned } from "../../../../../../contract/types.ts";
import { request } from "../../../../api/client.ts";
import { messageOf } from "../../../../api/errors.ts";
import type { Key } from "../../../../data/cache.ts";
import { useOrganization } from "../../../../data/organization.ts";

interface Props {
  projectId: number;
  body: MoveRequest;
}

/** What the move would do, or why it is refused: the API checks the request and changes nothing. */
export function MovePlan({ projectId, body }: Props) {
  const organization = useOrganization();
  const queryKey: Key = [organization, "project", projectId, "move", body];
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const asked = { organization, params: { id: projectId }, query: { dry_run: true }, body, signal };
      return (await request("POST /api/v1/projects/{id}/move", asked)) as unknown as Planned;
    },
    staleTime: 0,
    gcTime: 0,
  });
  if (error) {
    return (
      <p role="alert" className="text-bad [overflow-wrap:anywhere]">
        {messageOf(error)}
      </p>
    );
  }
  if (!data) return <p className="text-text-2">Checking the move.</p>;
  return (
    <p role="status" className="text-text-2 [overflow-wrap:anywhere]">
      {data.message} Until then the present server serves it, and it does so again if the move fails.
    </p>
  );
}
