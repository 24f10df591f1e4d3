import { useQuery } from "@tanstack/react-query";
import { sentenceOf } from "../../api/errors.ts";
import { useOrganization } from "../../data/organization.ts";
import { gitHosts } from "../../data/overview.ts";
import type { AppServer } from "../../parts/app-servers.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ApplicationSource } from "./application-source.tsx";
import { withRepository } from "./draft.ts";
import { HostedSource } from "./hosted-source.tsx";
import { SourceKind } from "./source-kind.tsx";
import type { DraftProps, useDetection } from "./use-new-project.ts";

interface Props extends DraftProps {
  detection: Omit<ReturnType<typeof useDetection>, "begin" | "reset">;
  /** What the API refused of the source when the project was to be created. */
  refused: Record<string, string> | undefined;
  onContinue: () => void;
  /** Without looking into the repository. */
  onSkip: () => void;
}

interface SourceProps extends Props {
  /** An application of the catalog rather than a repository. */
  isApp: boolean;
  servers: readonly AppServer[];
}

/** What the project is made of: an application, or code, and where that comes from. */
export function SourceForm({ isApp, servers, ...props }: SourceProps) {
  return (
    <div className="flex flex-col gap-6">
      <SourceKind kind={isApp ? "app" : "git"} />
      {isApp ? <ApplicationSource servers={servers} /> : <RepositoryForm {...props} />}
    </div>
  );
}

function RepositoryForm({ values, set, detection, refused, onContinue, onSkip }: Props) {
  const reason = missingIn(values);
  return (
    <Form onSubmit={onContinue} errors={detection.fields ?? refused} aria-label="Source">
      <Section title="Source">
        <SourceFields values={values} set={set} />
      </Section>
      <FormActions refusal={sentenceOf(detection.error)}>
        <Button type="submit" kind="primary" isPending={detection.isPending} disabledReason={reason}>
          Continue
        </Button>
        {detection.error && <Button onPress={onSkip}>Choose the framework myself</Button>}
        {detection.isPending && <p className="text-text-2">The repository is being read.</p>}
      </FormActions>
    </Form>
  );
}

function missingIn({ source, repository, branch, server_id }: DraftProps["values"]): string | undefined {
  if (server_id === null && source === byAddress) return "No server accepts a project now: one has to read it.";
  if (repository.trim() === "") return "Name the repository first.";
  return branch.trim() === "" ? "Name the branch first." : undefined;
}

const byAddress = "git";

function SourceFields({ values, set }: DraftProps) {
  const accounts = useQuery(gitHosts(useOrganization())).data?.data ?? [];
  const account = accounts.find(({ source }) => source === values.source);
  const options = accounts.map(({ source, name, label, account: login }) => ({
    id: source,
    label: name,
    description: `${label}, ${login}`,
  }));
  const choose = (source: string) => set({ ...withRepository(values, ""), source, branch: "" });
  return (
    <div className="flex flex-col gap-4">
      {accounts.length > 0 && (
        <Select
          label="Account"
          name="git_repository.type"
          options={[...options, { id: byAddress, label: "Any repository, by its address" }]}
          value={account?.source ?? byAddress}
          onChange={(source) => choose(String(source))}
        />
      )}
      {account ? (
        <HostedSource key={account.id} accountId={account.id} values={values} set={set} />
      ) : (
        <AddressedSource values={values} set={set} />
      )}
    </div>
  );
}

function AddressedSource({ values, set }: DraftProps) {
  return (
    <>
      <TextField
        label="Repository"
        name="git_repository.repo"
        description="An address, such as https://git.example.com/acme/shop.git."
        value={values.repository}
        onChange={(repository) => set({ ...withRepository(values, repository), source: byAddress })}
        isRequired
        mono
        autoFocus
        autoComplete="off"
      />
      <TextField
        label="Branch"
        name="git_repository.branch"
        description="What is deployed."
        placeholder="main"
        value={values.branch}
        onChange={(branch) => set({ branch })}
        isRequired
        mono
        autoComplete="off"
      />
    </>
  );
}
