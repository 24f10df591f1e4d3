import { useQuery } from "@tanstack/react-query";
import { FileUp, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { EnvironmentVariable } from "../../../../../contract/types.ts";
import { messageOf } from "../../../api/errors.ts";
import { prefetchOf } from "../../../data/cache.ts";
import { useMay } from "../../../data/me.ts";
import { useOrganization } from "../../../data/organization.ts";
import { environmentVariables, project } from "../../../data/projects.ts";
import { VariableDialog } from "../../../parts/environment-editor/variable-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../../../ui/section.tsx";
import { useDeploy } from "../deploy/use-deploy.ts";
import { useProject } from "../use-project.ts";
import { PasteForm } from "./paste-form.tsx";
import { RemoveVariableDialog } from "./remove-variable-dialog.tsx";
import { VariableTable } from "./variable-table.tsx";

export const loader = ({ params }: LoaderFunctionArgs) => {
  const [o, id] = [Number(params.organization), Number(params.project)];
  return prefetchOf(project(o, id), environmentVariables(o, id));
};

/** The names of the variables; their values go to the server and are never shown. */
export function Component(): ReactNode {
  const project = useProject();
  const variables = useQuery(environmentVariables(useOrganization(), project.id));
  return (
    <Loaded query={variables} what="The environment variables could not be read.">
      {({ data }) => <Environment variables={data} />}
    </Loaded>
  );
}

function Environment({ variables }: { variables: readonly EnvironmentVariable[] }) {
  const project = useProject();
  const [edited, setEdited] = useState<EnvironmentVariable | "new">();
  const [removed, setRemoved] = useState<EnvironmentVariable>();
  const [isPasting, setPasting] = useState(variables.length === 0);
  const deploy = useDeploy();
  const requestDeployment = () => deploy.mutate({ body: { project_ids: [project.id] } });
  const mayChange = useMay("project:update");
  const actions = mayChange && (
    <>
      {!isPasting && (
        <Button icon={FileUp} onPress={() => setPasting(true)}>
          Replace all
        </Button>
      )}
      <Button icon={Plus} onPress={() => setEdited("new")}>
        Add variable
      </Button>
    </>
  );
  return (
    <Section
      title="Environment variables"
      description="Changes apply from the next deployment or restart on."
      actions={actions}
    >
      {deploy.error && (
        <Notice tone="bad" alert>
          {`Saved, but not deployed: ${messageOf(deploy.error)}`}
        </Notice>
      )}
      {mayChange && isPasting && (
        <PasteForm project={project} onDone={() => setPasting(false)} onDeploy={requestDeployment} />
      )}
      {variables.length > 0 ? (
        <VariableTable variables={variables} {...(mayChange && { onEdit: setEdited, onRemove: setRemoved })} />
      ) : (
        !(mayChange && isPasting) && <NoVariables />
      )}
      <VariableDialog
        projectId={project.id}
        variable={edited}
        onClose={() => setEdited(undefined)}
        onDeploy={requestDeployment}
      />
      <RemoveVariableDialog projectId={project.id} variable={removed} onClose={() => setRemoved(undefined)} />
    </Section>
  );
}

function NoVariables() {
  return (
    <Empty title="No variables yet">
      Paste the text of a <code>.env</code> file to set them all at once.
    </Empty>
  );
}
