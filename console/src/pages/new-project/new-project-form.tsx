import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { Framework } from "../../../../contract/types.ts";
import { sentenceOf } from "../../api/errors.ts";
import { type AppServer, firstAccepting } from "../../parts/app-servers.ts";
import { EnvironmentField } from "../../parts/environment-editor/environment-text.tsx";
import { Submit } from "../../parts/submit.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { AddressFields } from "./address-fields.tsx";
import { BuildFields } from "./build-fields.tsx";
import { type Draft, unread } from "./draft.ts";
import { ServerFields } from "./server-fields.tsx";
import { SourceForm } from "./source-form.tsx";
import { SourceSummary } from "./source-summary.tsx";
import { useCreation, useDetection, useStoredDraft } from "./use-new-project.ts";

interface Props {
  servers: readonly AppServer[];
  frameworks: readonly Framework[];
}

const ofSource = ["git_repository.repo", "git_repository.branch", "git_repository.type"];

/** The source first; what follows from it is filled in, and can be changed. */
export function NewProjectForm({ servers, frameworks }: Props) {
  const { draft, setDraft, set, forget } = useStoredDraft();
  const detection = useDetection(setDraft);
  const creation = useCreation(forget);
  const isApp = useSearchParams()[0].get("source") === "app";
  // Here, so that it outlives a change of the source; and nowhere else.
  const [environment, setEnvironment] = useState("");
  const values = { ...draft.values, server_id: draft.values.server_id ?? firstAccepting(servers) };
  // An account reads the repository without the server, which then needs not be ready.
  const detect = () => detection.begin({ ...values, server_id: values.server_id ?? servers[0]?.id ?? null });
  const chooseSource = () => {
    detection.reset();
    setDraft(({ values: kept }) => ({ values: kept }));
  };
  useSourceRefused(creation.fields, chooseSource);
  if (isApp || draft.detection === undefined) {
    return (
      <SourceForm
        isApp={isApp}
        servers={servers}
        values={values}
        set={set}
        detection={detection}
        refused={creation.fields}
        onContinue={() => {
          creation.reset();
          detect();
        }}
        onSkip={() => {
          creation.reset();
          setDraft(unread);
        }}
      />
    );
  }
  return (
    <div className="flex flex-col gap-8">
      <SourceSummary
        values={values}
        detection={draft.detection}
        refusal={sentenceOf(detection.error)}
        isPending={detection.isPending}
        onChange={chooseSource}
        onDetect={detect}
      />
      <SettingsForm
        draft={{ ...draft, values }}
        set={set}
        servers={servers}
        frameworks={frameworks}
        creation={creation}
        environment={environment}
        setEnvironment={setEnvironment}
      />
    </div>
  );
}

/** A refusal of the source opens it again, with the sentences at its fields. */
function useSourceRefused(fields: Record<string, string> | undefined, open: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer.
  useEffect(() => {
    if (fields && ofSource.some((name) => name in fields)) open();
  }, [fields]);
}

interface SettingsProps extends Props {
  draft: Draft;
  set: (values: Partial<Draft["values"]>) => void;
  creation: ReturnType<typeof useCreation>;
  environment: string;
  setEnvironment: (text: string) => void;
}

function SettingsForm(props: SettingsProps) {
  const { draft, set, servers, frameworks, creation, environment, setEnvironment } = props;
  const { values, detection } = draft;
  return (
    <Form
      onSubmit={() => creation.begin(values, environment)}
      errors={creation.fields}
      className="gap-8"
      aria-label="New project"
    >
      <BuildFields values={values} set={set} detection={detection ?? null} frameworks={frameworks} />
      <ServerFields values={values} set={set} servers={servers} />
      <AddressFields values={values} set={set} />
      <Section title="Environment" description="Optional. Kept on the server, never in this browser.">
        <EnvironmentField text={environment} onChange={setEnvironment} rows={5} />
      </Section>
      <Submit isPending={creation.isPending} error={creation.error}>
        Deploy
      </Submit>
    </Form>
  );
}
