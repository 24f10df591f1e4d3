import assert from "node:assert/strict";
import { test } from "node:test";
import Fastify from "fastify";
import { Type } from "typebox";
import { schemaConverter } from "../openapi-schemas.ts";
import { Page } from "../pagination.ts";
import { Changed, Joined, List, Nullable, named, nameOf, Reply } from "../schemas.ts";
import { parserOf } from "../validation.ts";

const Ship = named("Ship", Type.Object({ hull: Type.Integer(), flag: Type.Optional(Type.String()) }));
const toShip = { $ref: "#/components/schemas/Ship" };

const shipInDocument = {
  type: "object",
  required: ["hull"],
  properties: { hull: { type: "integer" }, flag: { type: "string" } },
};

test("defines a named schema once, and refers to it everywhere", () => {
  const schemas = schemaConverter();
  const fleet = Type.Object({
    flagship: Ship,
    escort: Type.Optional(Ship),
    lost: Nullable(Ship),
    others: Type.Array(Ship),
    planned: Type.Unsafe<unknown>({ documentedAs: Nullable(Ship) }),
  });
  assert.deepEqual(schemas.convert(fleet).properties, {
    flagship: toShip,
    escort: toShip,
    lost: { anyOf: [toShip, { type: "null" }] },
    others: { type: "array", items: toShip },
    planned: { anyOf: [toShip, { type: "null" }] },
  });
  assert.deepEqual(schemas.components(), { Ship: shipInDocument });
});

test("refuses a second meaning of a name", () => {
  const schemas = schemaConverter();
  schemas.convert(Ship);
  schemas.convert(Nullable(Ship));
  assert.throws(
    () => schemas.convert(named("Ship", Type.Object({ mast: Type.String() }))),
    /Two schemas are named Ship/,
  );
});

test("gives no name to an object that is made of a named one", () => {
  const schemas = schemaConverter();
  schemas.convert(Type.Object({ ...Ship.properties, port: Type.String() }));
  assert.deepEqual(schemas.convert(Type.Partial(Ship)), { type: "object", properties: shipInDocument.properties });
  assert.deepEqual(schemas.components(), {});
});

test("names answers after what they hold", () => {
  assert.deepEqual([Reply(Ship), List(Ship), Page(Ship), Changed(Ship)].map(nameOf), [
    "ShipReply",
    "ShipList",
    "ShipPage",
    "ShipChanged",
  ]);
  assert.equal(nameOf(Page(Type.Object({}))), undefined);
});

test("shows a joined object as made of its parts", () => {
  const schemas = schemaConverter();
  const steamer = named("Steamer", Joined(Ship, Type.Object({ boilers: Type.Integer() })));
  assert.deepEqual(schemas.convert(steamer), { $ref: "#/components/schemas/Steamer" });
  assert.deepEqual(schemas.components(), {
    Ship: shipInDocument,
    Steamer: {
      allOf: [toShip, { type: "object", required: ["boilers"], properties: { boilers: { type: "integer" } } }],
    },
  });
});

test("sends named and joined objects like others, with the known fields in their order", async (t) => {
  const app = Fastify();
  t.after(() => app.close());
  const steamer = named("Steamer", Joined(Ship, Type.Object({ boilers: Type.Integer(), tug: Nullable(Ship) })));
  app.get("/", { schema: { response: { 200: Reply(steamer) } } }, async () => ({
    data: { boilers: 2, tug: null, secret: "hidden", hull: 1 },
    status: "success",
  }));
  const { body } = await app.inject("/");
  assert.equal(body, '{"status":"success","data":{"hull":1,"boilers":2,"tug":null}}');
});

test("validates a named object like others", () => {
  const parser = parserOf(Type.Object({ ship: Nullable(Ship), escort: Type.Optional(Ship) }));
  assert.deepEqual(parser.parse({ ship: null, escort: { hull: 1 } }), { value: { ship: null, escort: { hull: 1 } } });
  assert.deepEqual(parser.parse({ ship: {} }).errors, { "ship.hull": "The hull is required." });
});
