import { Type } from "typebox";
import type { Kind } from "../../engine/kind.ts";
import { Nullable, named, OneOf, OneOfIntegers, Success, Switch } from "../../http/schemas.ts";

/** What a server does for the visitors of a project that has moved to another one. */
export const forwardingKind: Kind = { kind: "forwarding", subject: "project" };

/** Runs that show the maintenance page or the site again. */
export const maintenanceKind: Kind = { kind: "maintenance", subject: "project" };

/** Runs that publish a site with a new certificate. Sites wait for them; the certificates feature starts them. */
export const installKind: Kind = { kind: "certificate-install", subject: "project" };

const text = Type.String();

export const PublishQuery = Type.Object({
  force_ssl: Type.Optional(
    OneOfIntegers([0, 1], {
      description: "1 enables SSL, 0 removes it; omitted: it stays as it is",
      errorMessage: "The field force_ssl must be 0 or 1.",
    }),
  ),
});

const enabled = Type.Unsafe<boolean | 0 | 1>({ ...Switch, description: "Whether visitors see the maintenance page" });
export const MaintenanceRequest = named("MaintenanceRequest", Type.Object({ enabled }));
export const MaintenanceToggle = named("MaintenanceToggle", Type.Object({ enabled: Type.Optional(enabled) }));

export const MaintenanceStatus = named(
  "MaintenanceStatus",
  Success({ maintenance_mode: Type.Boolean({ description: "Whether visitors see the maintenance page" }) }),
);

export const MaintenanceChanged = named(
  "MaintenanceChanged",
  Success({
    message: text,
    maintenance_mode: Type.Boolean({ description: "The new state; with 202 the state before, which is being changed" }),
  }),
);

/** A server's answer to an order. */
export const ServerAnswer = named(
  "ServerAnswer",
  Type.Object({
    ok: Type.Boolean({ description: "Whether it was carried out" }),
    system_output: Type.Array(text, { description: "Line by line" }),
  }),
  "What a server answered to an order",
);

export const Published = named(
  "SitePublished",
  Type.Object({
    status: OneOf(["success", "failed"], {
      description: "failed: the web server rejects the site, and serves the former one",
    }),
    message: text,
    nginx_response: Nullable(ServerAnswer),
  }),
);
