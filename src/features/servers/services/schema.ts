import { Type } from "typebox";
import { described, Id, List, Nullable, named, OneOf, Reply } from "../../../http/schemas.ts";

export const serviceNames = ["nginx", "php", "node", "mariadb", "postgresql", "redis", "meilisearch"] as const;
export type ServiceName = (typeof serviceNames)[number];

const serviceStates = ["active", "inactive", "failed", "unknown", "not_installed"] as const;
export type ServiceState = (typeof serviceStates)[number];

const text = Type.String();

export const ServiceParams = Type.Object({
  id: Id,
  service: OneOf(serviceNames, { description: "The `name` of a service that has credentials" }),
});

const Service = named(
  "Service",
  Type.Object({
    name: OneOf(serviceNames, { description: "What `…/services/:service` takes" }),
    label: described(text, "For display"),
    version: Nullable(Type.String({ description: "As reported by the newest setup; null: it reported none" })),
    ports: Type.Array(Type.Integer(), { description: "Where it listens; none: only on the server itself" }),
    state: Nullable(
      Type.Unsafe<ServiceState>({
        type: "string",
        description:
          "active, inactive or failed, as reported by the server now; unknown when it does not answer; not_installed before a " +
          "setup of the server has ended. null: a program that runs for projects only",
      }),
    ),
    has_credentials: Type.Boolean({ description: "Whether `…/credentials` has an account of the server's own" }),
  }),
  "A program that the setup of a server installs",
);

export const ServiceList = List(Service);

const Credentials = named(
  "ServiceCredentials",
  Type.Object({
    host: Type.String({
      description: "The address for the organization's other servers; 127.0.0.1 on the server itself",
    }),
    port: Type.Integer({ description: "Where it listens" }),
    database: Nullable(described(text, "null: it has none, or this account sees all")),
    username: Nullable(described(text, "null: a password is enough")),
    password: described(text, "Made by the setup"),
  }),
  "How to sign in to a service of a server",
);
export const ServiceCredentials = Reply(Credentials);
