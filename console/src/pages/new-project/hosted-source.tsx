import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { messageOf } from "../../api/errors.ts";
import { hostBranches, hostRepositories } from "../../data/new-project.ts";
import { useOrganization } from "../../data/organization.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { useSearch } from "../../ui/use-search.ts";
import { withRepository } from "./draft.ts";
import type { DraftProps } from "./use-new-project.ts";

interface Props extends DraftProps {
  accountId: number;
}

/** A repository that a connected account can read, and one of its branches. */
export function HostedSource(props: Props) {
  return (
    <>
      <RepositoryField {...props} />
      <BranchField key={props.values.repository} {...props} />
    </>
  );
}

function RepositoryField({ accountId, values, set }: Props) {
  const search = useSearch(values.repository);
  const read = hostRepositories(useOrganization(), accountId, search.q);
  const { data, error, isFetching } = useQuery({ ...read, placeholderData: keepPreviousData });
  const choose = (repository: string) => {
    const branch = data?.data.find((each) => each.repository === repository)?.default_branch ?? "";
    set({ ...withRepository(values, repository), branch });
  };
  return (
    <>
      <ComboBox
        label="Repository"
        name="git_repository.repo"
        options={(data?.data ?? []).map(({ repository, is_private }) => ({
          id: repository,
          label: repository,
          description: is_private ? "Private" : "Public",
        }))}
        isLoading={isFetching}
        empty="The account can read no such repository."
        placeholder="Search"
        search={search}
        value={values.repository || null}
        onChange={(id) => id !== null && choose(String(id))}
        isRequired
        autoFocus={values.repository === ""}
      />
      {error && <p className="text-bad">{messageOf(error)}</p>}
    </>
  );
}

function BranchField({ accountId, values, set }: Props) {
  const search = useSearch(values.branch);
  const read = hostBranches(useOrganization(), accountId, values.repository, search.q);
  const isChosen = values.repository !== "";
  const { data, error, isFetching } = useQuery({ ...read, enabled: isChosen, placeholderData: keepPreviousData });
  return (
    <>
      <ComboBox
        label="Branch"
        name="git_repository.branch"
        options={(data?.data ?? []).map(({ name, is_default }) => ({
          id: name,
          label: name,
          ...(is_default && { description: "Default" }),
        }))}
        isLoading={isFetching}
        empty={isChosen ? "The repository has no such branch." : "Choose the repository first."}
        search={search}
        value={values.branch || null}
        onChange={(id) => id !== null && set({ branch: String(id) })}
        isRequired
      />
      {error && <p className="text-bad">{messageOf(error)}</p>}
    </>
  );
}
