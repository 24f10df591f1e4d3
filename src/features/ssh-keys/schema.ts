import { type Static, Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import { Sync } from "../../engine/reconcile/target.ts";
import { Page, PageQuery } from "../../http/pagination.ts";
import {
  Changed,
  described,
  Id,
  List,
  Name,
  Nullable,
  named,
  OneOf,
  Reply,
  Success,
  Timestamp,
} from "../../http/schemas.ts";

/** The keys on a server. */
export const sshKeysKind: Kind = { kind: "ssh-keys", subject: "server" };

/** Per user, and per organization. */
export const keysPerOwner = 50;
/** Per server. */
export const keysPerServer = 200;

const owners = ["user", "organization"] as const;
export type KeyOwner = (typeof owners)[number];

/** A row of `ssh_keys` as the API shows it. */
export interface SshKeyRow {
  id: number;
  name: string;
  owner: KeyOwner;
  user_id: number | null;
  organization_id: number | null;
  public_key: string;
  fingerprint: string;
  created_at: string;
}

/** A key on a server. */
export interface AccessRow {
  id: number;
  server_id: number;
  /** null once the key was deleted */
  ssh_key_id: number | null;
  account: "root";
  name: string;
  fingerprint: string;
  is_removed: boolean;
  granted_by: number | null;
  created_at: string;
}

const fingerprint = Type.String({ description: "As `ssh-keygen -l` shows it" });

const SshKey = named(
  "SshKey",
  Type.Object({
    id: Id,
    name: Type.String(),
    owner: OneOf(owners, { description: "user: a person's own; organization: all members can grant it" }),
    user_id: Nullable(Type.Integer({ description: "The person that it belongs to; null for an organization's" })),
    organization_id: Nullable(Type.Integer({ description: "Null for a person's" })),
    public_key: Type.String({ description: "Algorithm and key, without options and comment" }),
    fingerprint,
    created_at: Timestamp,
  }),
  "A public key of a person or of an organization",
);

export const SshKeyQuery = Type.Object({
  ...PageQuery.properties,
  owner: Type.Optional(OneOf(owners, { description: "Only those of people, or of the organization" })),
});
export type SshKeyQuery = Static<typeof SshKeyQuery>;

export const SshKeyRequest = named(
  "SshKeyRequest",
  Type.Object({
    name: described(Name, "For people, to recognize it by"),
    public_key: Type.String({
      title: "public key",
      minLength: 1,
      maxLength: 8_000,
      description:
        "One line as in `id_ed25519.pub`: ssh-ed25519, ecdsa, their sk variants, or RSA of 3072 bits and more",
    }),
    owner: Type.Optional(OneOf(owners, { description: "Default: user" })),
  }),
);
export type SshKeyRequest = Static<typeof SshKeyRequest>;

export const SshKeyPage = Page(SshKey);
export const SshKeyReply = Reply(SshKey);
export const SshKeyChanged = Changed(SshKey);

const SshAccess = named(
  "SshAccess",
  Type.Object({
    id: Id,
    server_id: described(Id, "The server that it opens"),
    ssh_key_id: Nullable(Type.Integer({ description: "Null once the key was deleted" })),
    account: OneOf(["root"], { description: "The account on the server that the key opens" }),
    name: Type.String({ description: "The key's" }),
    fingerprint,
    is_removed: Type.Boolean({
      description: "Whether its removal was requested. It is listed until the server has removed it",
    }),
    granted_by: Nullable(Type.Integer({ description: "A user's id" })),
    sync: Sync,
    created_at: Timestamp,
  }),
  "A key on a server",
);

export const AccessParams = Type.Object({
  id: Id,
  access: described(Id, "The `id` of a key's entry in the server's list"),
});
export const AccessRequest = named(
  "SshAccessRequest",
  Type.Object({
    ssh_key_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      title: "SSH key",
      description: "Your own key, or one of the organization",
    }),
    account: Type.Optional(OneOf(["root"], { description: "Default: root" })),
  }),
);
export type AccessRequest = Static<typeof AccessRequest>;

export const AccessList = List(SshAccess);
export const AccessGranted = named("SshAccessGranted", Success({ message: Type.String(), data: SshAccess }));
