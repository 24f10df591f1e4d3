import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createClient } from "../contract/client.ts";
import type { NewToken, Project, ProjectPage } from "../contract/types.ts";
import { endpoints } from "../src/features/sign-in/endpoints.ts";
import { descriptionsOf, routesOf } from "../src/features.ts";
import { permissions } from "../src/http/actor.ts";
import type { Media, Schema } from "../src/http/openapi-document.ts";
import { routeTable } from "../src/http/table.ts";
import { appOn, type Cast, contextOn, createCast } from "../src/http/tests/support.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { operationsOf, schemaChecker } from "./document.ts";

const document = routeTable(routesOf(), descriptionsOf()).document();
const operations = operationsOf(document);
const faultOf = schemaChecker(document);

/** The faults of each operation, as sentences that name it. */
const faults = (find: (operation: (typeof operations)[number]) => (string | undefined)[]): string[] =>
  operations.flatMap((each) => find(each).flatMap((fault) => (fault ? [`${each.name}: ${fault}`] : [])));

const isAboutPermission = (paragraph: string): boolean =>
  /^(?:Needs `|Needs a session|Any valid token|Needs no token)/.test(paragraph);

/** The schemas with properties in a part of the document, as texts; those with a name are referred to. */
function objectsIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const inner = Object.entries(part).flatMap(([key, each]) => (key === "example" ? [] : objectsIn(each)));
  return "properties" in part ? [JSON.stringify(part), ...inner] : inner;
}

/** Whether a reader learns what a field means: a constant is its own meaning, and a named schema may have it. */
function isExplained(field: Schema): boolean {
  if (field.description !== undefined || "const" in field) return true;
  const { $ref, anyOf = [], allOf = [] } = field;
  const inner =
    $ref === undefined ? [...anyOf, ...allOf] : [document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {}];
  return inner.some(isExplained);
}

function silentFieldsIn(place: string, part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const { properties = {} } = part as Schema;
  const silent = Object.entries(properties).flatMap(([name, field]) =>
    isExplained(field) ? [] : [`${place}.${name}`],
  );
  const inner = Object.entries(part).flatMap(([key, each]) =>
    key === "example" || key === "properties" ? [] : silentFieldsIn(place, each),
  );
  return [
    ...silent,
    ...inner,
    ...Object.entries(properties).flatMap(([name, field]) => silentFieldsIn(`${place}.${name}`, field)),
  ];
}

const isNamed = ({ $ref, allOf, anyOf }: Schema): boolean =>
  $ref !== undefined || (allOf ?? anyOf?.filter(({ type }) => type !== "null"))?.every(isNamed) === true;

describe("the OpenAPI document", () => {
  it("has a summary of one line for every operation", () => {
    const found = faults(({ operation: { summary } }) => [
      /^[A-Z].{3,100}[^.]$/.test(summary) ? undefined : `"${summary}" is no short imperative line`,
    ]);
    assert.deepEqual(found, []);
  });

  it("names the permission of every operation, in words too", () => {
    const known = new Set<string>([...permissions, "any", "account", "session", "public"]);
    const found = faults(({ operation: { "x-permission": permission, description = "" } }) => [
      known.has(permission) ? undefined : `${permission} is no permission`,
      description.split("\n\n").some(isAboutPermission) ? undefined : "no sentence about the permission",
    ]);
    assert.deepEqual(found, []);
  });

  it("describes every operation beyond its summary", () => {
    const found = faults(({ operation: { description = "" } }) => [
      description.split("\n\n").every(isAboutPermission) ? "no description" : undefined,
    ]);
    assert.deepEqual(found, []);
  });

  it("has an example of every body and reply in JSON", () => {
    const lacksExample = ({ content = {} }: { content?: Record<string, Media> } = {}) =>
      content["application/json"] !== undefined && content["application/json"].example === undefined;
    const found = faults(({ operation, responses }) => [
      lacksExample(operation.requestBody) ? "no example of its body" : undefined,
      ...[...responses].map(([status, reply]) =>
        status < 300 && lacksExample(reply) ? `no example of its reply ${status}` : undefined,
      ),
    ]);
    assert.deepEqual(found, []);
  });

  it("has examples that fit their schemas", () => {
    const found = faults(({ parameters, operation, responses }) => {
      const media = [
        ...Object.values(operation.requestBody?.content ?? {}),
        ...[...responses.values()].flatMap(({ content }) => Object.values(content)),
      ];
      return [...parameters, ...media].map(({ schema, example }) =>
        example === undefined ? undefined : faultOf(schema, example),
      );
    });
    assert.deepEqual(found, []);
  });

  it("describes no object twice", () => {
    const places = new Map<string, string[]>();
    for (const { name, operation } of operations) {
      for (const found of objectsIn(operation)) places.set(found, [...(places.get(found) ?? []), name]);
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      for (const found of objectsIn(Object.values(schema))) places.set(found, [...(places.get(found) ?? []), name]);
    }
    const repeated = [...places].filter(([, at]) => at.length > 1).map(([found, at]) => `${at.join(", ")}: ${found}`);
    assert.deepEqual(repeated, [], "Give these objects a name with `named` of src/http/schemas.ts.");
  });

  it("has a name for what each operation takes and answers", () => {
    const found = faults(({ operation, responses }) => {
      const successes = [...responses].filter(([status]) => status < 300).map(([, { content }]) => content);
      return [operation.requestBody?.content ?? {}, ...successes].map((content) => {
        const { schema } = content["application/json"] ?? {};
        return schema === undefined || isNamed(schema) ? undefined : `${JSON.stringify(schema)} has no name`;
      });
    });
    assert.deepEqual(
      found,
      [],
      "Use `named`, `Reply`, `List`, `Changed`, `Created` or `Acknowledgement` of src/http/schemas.ts.",
    );
  });

  /** What better-auth refuses: src/features/sign-in/tests/descriptions.test.ts. */
  const answeredElsewhere = new Set(endpoints.map(({ path }) => `/api/auth${path}`));

  it("lists the refusals of every operation", () => {
    const found = faults(({ operation, path, method, responses }) => {
      if (operation["x-permission"] === "public" || answeredElsewhere.has(path)) return [];
      const expected = [
        401,
        403,
        429,
        ...(path.includes("{") ? [404] : []),
        ...(method === "GET" ? [] : [400, 413, 415]),
      ];
      return expected.map((status) => (responses.has(status) ? undefined : `${status} is missing`));
    });
    assert.deepEqual(found, []);
  });

  it("describes every parameter, and every field of bodies and answers", () => {
    const silentParameters = operations.flatMap(({ name, parameters }) =>
      parameters.filter(({ description }) => !description).map((each) => `${name}: ${each.in} ${each.name}`),
    );
    const { schemas } = document.components;
    const silentFields = operations
      .map(({ name, operation: { requestBody, responses } }) => [name, { requestBody, responses }] as const)
      .concat(Object.entries(schemas) as never)
      .flatMap(([name, part]) => silentFieldsIn(name, part));
    assert.deepEqual(
      [...silentParameters, ...silentFields],
      [],
      "Describe them in the feature's schema.ts: `described` of src/http/schemas.ts, or the option `description`.",
    );
  });

  it("describes every heading", () => {
    assert.deepEqual(
      document.tags.filter(({ description }) => description === "").map(({ name }) => name),
      [],
      "Add a sentence to tagDescriptions of src/http/openapi.ts.",
    );
  });
});

describe("the typed client", () => {
  let database: TestDatabase;
  let cast: Cast;
  let url: string;
  let close: () => Promise<unknown>;

  before(async () => {
    database = await testDatabase();
    cast = await createCast(database.pool);
    const app = appOn(
      contextOn(database.pool),
      routesOf().filter(({ path }) => path.startsWith("/api/v1/projects")),
    );
    url = await app.listen({ host: "127.0.0.1", port: 0 });
    close = () => app.close();
  });

  after(async () => {
    await close();
    await database.drop();
  });

  it("reads a page", async () => {
    const client = createClient({ url, token: cast.alice });
    const answer = await client("GET /api/v1/projects", { query: { per_page: 5, page: 2 } });
    assert.ok(answer.ok);
    const page: ProjectPage = answer.body;
    const projects: Project[] = page.data;
    assert.deepEqual([page.current_page, page.per_page, projects], [2, 5, []]);
  });

  it("fills in the path and distinguishes a refusal", async () => {
    const client = createClient({ url, token: cast.alice });
    const answer = await client("GET /api/v1/projects/{id}", { params: { id: 1 } });
    assert.ok(!answer.ok);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.status, "error");
  });

  it("sends bodies and idempotency keys", async () => {
    const client = createClient({ url, token: cast.alice });
    const request = {
      body: { name: "From the client", permissions: ["project:read" as const] },
      idempotencyKey: "once",
    };
    const first = await client("POST /api/v1/me/tokens", request);
    const again = await client("POST /api/v1/me/tokens", request);
    assert.ok(first.ok && again.ok);
    assert.equal(first.status, 201);
    const [token, repeated]: NewToken[] = [first.body.data, again.body.data];
    assert.equal(repeated?.id, token?.id);
  });

  it("names the organization, for all requests or for one", async () => {
    const foreign = cast.charlieOrganizationId;
    const client = createClient({ url, token: cast.alice, organization: foreign });
    assert.equal((await client("GET /api/v1/me")).status, 403);
    assert.equal((await client("GET /api/v1/me", { organization: cast.organizationId })).status, 200);
  });
});
