import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectReply, ProjectSource } from "../../../../../contract/types.ts";
import { messageOf } from "../../../api/errors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { projectSource } from "../../../data/projects.ts";
import { useWrite } from "../../../data/write.ts";
import { Asked } from "../../../parts/asked.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { Button } from "../../../ui/button.tsx";
import { Copied } from "../../../ui/copied.tsx";
import { Properties } from "../../../ui/properties.tsx";
import { Section } from "../../../ui/section.tsx";
import { useProjectRefusals } from "../use-project.ts";

/** What the git host calls after a push, and the key with which the server reads the repository. */
export function WebhookSection({ project }: { project: ProjectReply }) {
  const source = useQuery(projectSource(useOrganization(), project.id));
  return (
    <Section title="Webhook and deploy key" actions={source.data && <SourceActions project={project} />}>
      <Loaded query={source} what="The webhook could not be read." rows={3}>
        {({ data }) => <SourceFacts source={data} />}
      </Loaded>
    </Section>
  );
}

function SourceFacts({ source }: { source: ProjectSource }) {
  const { webhook, deploy_key: key, provider, needs_confirmation } = source;
  return (
    <>
      {needs_confirmation && (
        <p className="text-warn">
          A restricted member chose the repository. No account is used for it until a member without restriction
          registers it.
        </p>
      )}
      <Properties
        items={[
          { label: "Account", value: provider && <span dir="auto">{`${provider.name} (${provider.label})`}</span> },
          { label: "Webhook", value: <Copied value={webhook.url} label="Copy webhook address" /> },
          { label: "Webhook secret", value: <Secret value={webhook.secret} /> },
          { label: "Webhook at the host", value: <Registered {...webhook} /> },
          { label: "Deploy key", value: key.public_key && <Copied value={key.public_key} label="Copy deploy key" /> },
          { label: "Deploy key at the host", value: <Registered {...key} /> },
          { label: "Deployments at the host", value: <Shown source={source} /> },
        ]}
      />
    </>
  );
}

function Secret({ value }: { value: string }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return <Copied value={value} label="Copy webhook secret" />;
  return (
    <Button compact onPress={() => setShown(true)}>
      Show
    </Button>
  );
}

function Registered({ is_registered, error }: { is_registered: boolean; error: string | null }) {
  if (error) return <span className="text-bad">{error}</span>;
  return is_registered ? "Registered" : <span className="text-text-2">Not registered: add it by hand</span>;
}

function Shown({ source: { commit_status, provider } }: { source: ProjectSource }) {
  if (commit_status.error) return <span className="text-bad">{commit_status.error}</span>;
  return provider ? "Shown at their commits" : <span className="text-text-2">Not shown: no account is connected</span>;
}

function SourceActions({ project }: { project: ProjectReply }) {
  const refusal = useProjectRefusals(project);
  const register = useWrite("POST /api/v1/projects/{id}/source/register", { touches: ["project"] });
  const renew = useWrite("POST /api/v1/projects/{id}/source/secret", { touches: ["project"] });
  const params = { id: project.id };
  return (
    <>
      {register.error && (
        <p role="alert" className="text-bad">
          {messageOf(register.error)}
        </p>
      )}
      <Button
        onPress={() => register.mutate({ params })}
        isPending={register.isPending}
        disabledReason={refusal("register_source")}
      >
        Register again
      </Button>
      <Asked
        trigger={(ask) => (
          <Button onPress={ask} disabledReason={refusal("renew_webhook_secret")}>
            Replace secret
          </Button>
        )}
        title="Replace the webhook secret"
        verb="Replace secret"
        write={renew}
        onConfirm={() => renew.mutate({ params })}
      >
        <p>
          Deliveries that are signed with the present one are refused. A webhook that was added by hand needs the new
          one.
        </p>
      </Asked>
    </>
  );
}
