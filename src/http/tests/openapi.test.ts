import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { openApiDocument } from "../openapi.ts";
import { PageQuery } from "../pagination.ts";
import { route } from "../route.ts";
import { IdParams } from "../schemas.ts";

const document = openApiDocument([
  route({
    method: "POST",
    path: "/api/v1/servers/:id/reboot",
    summary: "Reboot a server",
    description: "It is queued.",
    permission: "server:update",
    params: IdParams,
    body: Type.Object({ force: Type.Boolean({ title: "force", errorMessage: "The force must be a yes or no." }) }),
    status: 202,
    reply: Type.Object({ status: Type.Literal("success") }),
    errors: { conflict: "It is rebooting already." },
    examples: { body: { force: true } },
    handle: () => ({ status: "success" as const }),
  }),
  route({
    method: "GET",
    path: "/api/v1/servers",
    summary: "List servers",
    permission: "public",
    query: PageQuery,
    reply: Type.Object({}),
    handle: () => ({}),
  }),
]);

// biome-ignore lint/suspicious/noExplicitAny: the document is looked into at will
const paths = document.paths as any;

test("describes an operation with all that its route declares", () => {
  const reboot = paths["/api/v1/servers/{id}/reboot"].post;
  assert.equal(reboot.operationId, "postServersIdReboot");
  assert.equal(reboot.summary, "Reboot a server");
  assert.match(reboot.description, /It is queued\.\n\nNeeds `server:update`\./);
  assert.deepEqual(reboot.tags, ["servers"]);
  assert.equal(reboot.parameters[0].name, "id");
  assert.equal(reboot.parameters[0].in, "path");
  assert.equal(reboot.parameters[0].required, true);
  assert.deepEqual(reboot.requestBody.content["application/json"].example, { force: true });
  assert.deepEqual(Object.keys(reboot.responses), [
    "202",
    "400",
    "401",
    "403",
    "404",
    "409",
    "413",
    "415",
    "422",
    "429",
    "503",
  ]);
  assert.match(reboot.responses["409"].description, /Idempotency-Key.* It is rebooting already\./);
  assert.equal(reboot.responses["409"].content["application/json"].example.message, "It is rebooting already.");
});

test("shows no key that only this code reads", () => {
  assert.doesNotMatch(JSON.stringify(document), /errorMessage|documentedAs/);
  const list = paths["/api/v1/servers"].get;
  assert.equal(list.parameters[0].schema.type, "integer");
  assert.deepEqual(list.security, []);
});

test("describes what several operations have once", () => {
  const sail = {
    method: "GET",
    permission: "public",
    summary: "Sail",
    reply: Type.Object({}),
    handle: () => ({}),
  } as const;
  const Port = (maximum: number) => Type.Object({ port: Type.Integer({ maximum, description: "By its number" }) });
  const { paths, components } = openApiDocument([
    route({ ...sail, path: "/api/v1/barges", query: Port(5) }),
    route({ ...sail, path: "/api/v1/ferries", query: Port(9) }),
    route({ ...sail, path: "/api/v1/yachts", query: Port(9) }),
    route({ ...sail, path: "/api/v1/rafts", query: Type.Object({ logs: Type.Integer() }) }),
  ]);
  const port = { name: "port", in: "query", required: true, description: "By its number" };
  const shared = [{ $ref: "#/components/parameters/port" }];
  assert.deepEqual(components.parameters, { port: { ...port, schema: { type: "integer", maximum: 9 } } });
  assert.deepEqual(paths["/api/v1/ferries"]?.get?.parameters, shared);
  assert.deepEqual(paths["/api/v1/yachts"]?.get?.parameters, shared);
  assert.deepEqual(paths["/api/v1/barges"]?.get?.parameters, [{ ...port, schema: { type: "integer", maximum: 5 } }]);
  assert.equal(paths["/api/v1/rafts"]?.get?.parameters.length, 1);
});

test("gives every operation an id of its own", () => {
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((path) =>
    Object.values(path).map((operation) => operation.operationId),
  );
  assert.equal(new Set(ids).size, ids.length);
});
