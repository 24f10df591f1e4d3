import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectReply } from "../../../../../../contract/types.ts";
import { balance } from "../../../../data/balance.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { Loaded } from "../../../../parts/loaded.tsx";
import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/button.tsx";
import { Link } from "../../../../ui/link.tsx";
import { Section } from "../../../../ui/section.tsx";
import { useProjectRefusals } from "../../use-project.ts";
import { BalanceDialog } from "./balance-dialog.tsx";
import { NodeTable } from "./node-table.tsx";
import { UnbalanceDialog } from "./unbalance-dialog.tsx";

/** The load balancer before a project and the servers behind it, or the way to one. */
export function BalanceSection({ project }: { project: ProjectReply }) {
  const isBalanced = project.load_balancer_id !== null;
  const query = useQuery({ ...balance(useOrganization(), project.id), enabled: isBalanced });
  const [opened, setOpened] = useState<"change" | "remove">();
  const refusal = useProjectRefusals(project);
  const close = () => setOpened(undefined);
  return (
    <Section
      title="Load balancer"
      description="One receives the visitors of up to eight App servers that the project runs on."
      actions={
        <>
          {isBalanced && (
            <Button onPress={() => setOpened("remove")} disabledReason={refusal("unbalance")}>
              Take out of load balancer
            </Button>
          )}
          <Button onPress={() => setOpened("change")} disabledReason={refusal("balance")}>
            {isBalanced ? "Change servers" : "Put behind load balancer"}
          </Button>
        </>
      }
    >
      {isBalanced && (
        <Loaded query={query} what="The state of the servers could not be read." rows={3}>
          {({ data }) => (
            <>
              <Balancer id={data.load_balancer_id} name={data.load_balancer_name} />
              <NodeTable nodes={data.nodes} />
            </>
          )}
        </Loaded>
      )}
      {opened === "change" && <BalanceDialog project={project} present={query.data?.data} onClose={close} />}
      {opened === "remove" && <UnbalanceDialog project={project} onClose={close} />}
    </Section>
  );
}

function Balancer({ id, name }: { id: number | null; name: string | null }) {
  const o = useOrganization();
  if (id === null) return null;
  return (
    <p>
      Visitors come through{" "}
      <Link href={paths.server(o, id)}>
        <bdi>{name}</bdi>
      </Link>
      : the domains have to point there.
    </p>
  );
}
