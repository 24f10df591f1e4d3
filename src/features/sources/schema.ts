import { type TSchema, Type } from "typebox";
import { Sync } from "../../engine/reconcile/target.ts";
import { type GitHostType, gitHosts } from "../../host/git/git.ts";
import { Text } from "../../http/lists.ts";
import { PageQuery } from "../../http/pagination.ts";
import {
  Changed,
  Created,
  described,
  Id,
  List,
  Name,
  Nullable,
  named,
  namedAfter,
  OneOf,
  Reply,
  Success,
  Timestamp,
} from "../../http/schemas.ts";

export const providerTypes = Object.keys(gitHosts) as GitHostType[];

/** A connected account, without its credentials. */
export interface ProviderRow {
  id: number;
  organization_id: number;
  name: string;
  provider_type: GitHostType;
  account: string;
  created_at: string;
}

/** A registration of a project at a git host: wanted, registered, or to be removed. */
export interface RegistrationRow {
  id: number;
  project_id: number;
  provider_id: number;
  repository: string;
  kind: "key" | "hook";
  subject: string;
  state: "wanted" | "registered" | "obsolete";
  remote_id: string | null;
  fingerprint: string | null;
  ssh_url: string | null;
  error: string | null;
  is_settled: boolean;
  /** Since when it is to be removed. */
  obsolete_since: string | null;
}

const text = Type.String();

const SourceProvider = named(
  "SourceProvider",
  Type.Object({
    id: Id,
    name: text,
    provider_type: OneOf(providerTypes, { description: "The git host" }),
    label: Type.String({ description: "The host's name, for display" }),
    account: Type.String({ description: "The account at the host that the credentials belong to" }),
    source: Type.String({ description: "What `git_repository.type` takes to use this account for a project" }),
    created_at: Timestamp,
  }),
  "A connected account at a git host, without its credentials",
);

export const ProviderList = List(SourceProvider);
export const ProviderReply = Reply(SourceProvider);
export const ProviderCreated = Created(SourceProvider);

/** One line of visible characters: it becomes a part of an HTTP header. */
const Visible = { maxLength: 2_000, pattern: "^[\\x21-\\x7e]+$" };

const SourceCredentials = named(
  "SourceCredentials",
  Type.Object({
    token: Type.String({ ...Visible, title: "token", description: "An access token of the account" }),
    username: Type.Optional(
      Nullable(
        Type.String({ ...Visible, maxLength: 200, description: "Bitbucket: the e-mail address of an API token" }),
      ),
    ),
    workspace: Type.Optional(
      Nullable(Type.String({ ...Visible, maxLength: 200, description: "Bitbucket: where an access token belongs to" })),
    ),
  }),
  "Checked at the git host, kept encrypted, and never shown",
);

export const ProviderRequest = named(
  "SourceProviderRequest",
  Type.Object({
    name: described(Name, "For people"),
    provider_type: OneOf(providerTypes, { title: "provider type", description: "The git host" }),
    credentials: SourceCredentials,
  }),
);

/** Lists of a host use its pagination: there is no count, and only a next page. */
export const HostPageQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 500, description: "`next_cursor` of the page before" })),
  per_page: PageQuery.properties.per_page,
  q: Text("path or name"),
});

export const BranchQuery = Type.Object({
  repository: Type.String({ minLength: 1, maxLength: 500, description: "`owner/name`" }),
  ...HostPageQuery.properties,
});

const HostPageOf = <Item extends TSchema>(item: Item) =>
  namedAfter(
    item,
    "List",
    Success({
      data: Type.Array(item, { description: "The items of this page, in the host's order" }),
      next_cursor: Nullable(Type.String({ description: "null: this is the last page" })),
    }),
  );

const HostRepository = named(
  "HostRepository",
  Type.Object({
    repository: Type.String({ description: "`owner/name`, as `git_repository.repo` takes it" }),
    is_private: Type.Boolean({ description: "Whether reading it needs a credential" }),
    default_branch: Nullable(described(text, "null for an empty repository")),
    web_url: described(text, "Its page at the host"),
  }),
  "A repository that the account can read",
);
export const HostRepositories = HostPageOf(HostRepository);

const HostBranch = named(
  "HostBranch",
  Type.Object({
    name: described(text, "What `git_repository.branch` takes"),
    commit_id: described(text, "Its newest commit"),
    is_default: Type.Boolean({ description: "Whether the repository is shown with it" }),
  }),
  "A branch of a repository",
);
export const HostBranches = HostPageOf(HostBranch);

const SourceProviderName = named(
  "SourceProviderName",
  Type.Object({
    id: Id,
    name: text,
    provider_type: OneOf(providerTypes, { description: "The git host" }),
    label: described(text, "The host's name, for display"),
  }),
  "The connected account that the project uses; null: none",
);

const DeployKey = named(
  "DeployKey",
  Type.Object({
    public_key: Nullable(Type.String({ description: "null until the project was prepared on its server" })),
    is_registered: Type.Boolean({ description: "Whether the connected account registered it at the host" }),
    error: Nullable(Type.String({ description: "Why it could not be registered, in a sentence" })),
  }),
  "The key with which a server fetches the repository",
);

const SourceWebhook = named(
  "SourceWebhook",
  Type.Object({
    url: described(text, "What the host calls; anyone who has it and the secret can deploy"),
    secret: described(text, "What the host signs its calls with"),
    is_registered: Type.Boolean({ description: "Whether the connected account registered it at the host" }),
    error: Nullable(described(text, "Why it could not be registered, in a sentence")),
  }),
  "The webhook that the git host calls after a push",
);

const CommitStatus = named(
  "CommitStatus",
  Type.Object({
    error: Nullable(described(text, "Why the newest deployment is not shown there as it is, in a sentence")),
  }),
  "What the host of a connected account shows of deployments at their commits",
);

const ProjectSource = named(
  "ProjectSource",
  Type.Object({
    repository_type: described(text, "The host of the repository; git: any other"),
    repository: described(text, "Address or `owner/name`"),
    repository_branch: described(text, "The branch that is deployed"),
    provider: Nullable(SourceProviderName),
    needs_confirmation: Type.Boolean({
      description:
        "A restricted member chose the repository: no account is used for it until a member without restriction registers it",
    }),
    deploy_key: DeployKey,
    webhook: SourceWebhook,
    commit_status: CommitStatus,
    sync: Sync,
  }),
  "Where the code of a project comes from",
);

export const SourceReply = Reply(ProjectSource);
export const SourceChanged = Changed(ProjectSource);
