import { useState } from "react";
import type { ProjectReply } from "../../../../../../contract/types.ts";
import { useOrganization } from "../../../../data/organization.ts";
import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/button.tsx";
import { Link } from "../../../../ui/link.tsx";
import { Section } from "../../../../ui/section.tsx";
import { useProjectRefusals } from "../../use-project.ts";
import { MoveDialog } from "./move-dialog.tsx";

/** The server that the project is on, and the way to another one. */
export function MoveSection({ project }: { project: ProjectReply }) {
  const o = useOrganization();
  const [isOpen, setOpen] = useState(false);
  const refusal = useProjectRefusals(project);
  const { id, name } = project.server;
  return (
    <Section
      title="Server"
      description={
        <>
          It runs on{" "}
          <Link href={paths.server(o, id)}>
            <bdi>{name}</bdi>
          </Link>
          . A move takes it to another one with its files, databases, jobs and certificate.
        </>
      }
    >
      <Button className="self-start" onPress={() => setOpen(true)} disabledReason={refusal("move")}>
        Move project
      </Button>
      {isOpen && <MoveDialog project={project} onClose={() => setOpen(false)} />}
    </Section>
  );
}
