import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { openApiDocument } from "../src/http/openapi.ts";
import { PageQuery } from "../src/http/pagination.ts";
import { route } from "../src/http/route.ts";
import { Changed, IdParams, Joined, Nullable, named, OneOf } from "../src/http/schemas.ts";
import { clientTypes } from "../tools/client-types.ts";

const Tug = named("Tug", Type.Object({ name: Type.String(), ropes: Type.Array(Type.Integer()) }));

const Ship = named(
  "Ship",
  Type.Object(
    {
      id: Type.Integer({ description: "In the register" }),
      kind: OneOf(["sail", "steam"]),
      tug: Type.Optional(Nullable(Tug)),
      cargo: Type.Record(Type.String(), Type.Integer()),
    },
    { description: "What floats" },
  ),
);

const types = clientTypes(
  openApiDocument([
    route({
      method: "GET",
      path: "/api/v1/ships",
      summary: "List ships",
      permission: "public",
      query: PageQuery,
      reply: named("Fleet", Type.Array(Ship)),
      handle: () => [],
    }),
    route({
      method: "PUT",
      path: "/api/v1/ships/:id",
      summary: "Change a ship",
      permission: "public",
      params: IdParams,
      body: named(
        "ShipUpdate",
        Type.Object({
          name: Type.String(),
          crew: Type.Array(Type.String()),
          tugs: Type.Array(Tug),
          berth: Type.String({ pattern: "^berth_[1-9][0-9]{0,15}$" }),
        }),
      ),
      reply: Changed(named("Steamer", Joined(Ship, Type.Object({ boilers: Type.Integer() })))),
      handle: () => ({}) as never,
    }),
    route({
      method: "DELETE",
      path: "/api/v1/ships/:id",
      summary: "Sink a ship",
      permission: "public",
      params: IdParams,
      query: PageQuery,
      reply: named("Wreck", Type.Object({})),
      handle: () => ({}),
    }),
  ]),
);

const has = (part: string) => assert.ok(types.includes(part), `${part}\nis missing in\n${types}`);

test("makes an interface of each named object", () => {
  has(`/** What floats */
export interface Ship {
  /** In the register */
  id: number;
  kind: "sail" | "steam";
  tug?: Tug | null;
  cargo: Record<string, number>;
}
`);
});

test("makes a type of what is named and no object of its own", () => {
  has("export type Fleet = Array<Ship>;\n");
  has(`export type Steamer = Ship & {
  boilers: number;
};
`);
});

test("lets a caller send lists that it must not change", () => {
  has(`export interface ShipUpdate {
  /** As people named it */
  name: string;
  crew: ReadonlyArray<string>;
  tugs: ReadonlyArray<Tug>;
`);
  // It is in answers too.
  has("  ropes: Array<number>;\n");
});

test("has a type for texts of a prefix and a number", () => {
  has(`  berth: \`berth_\${number}\`;\n`);
});

test("names the parts of an operation", () => {
  has(`  /** Change a ship */
  "PUT /api/v1/ships/{id}": {
    params: {
      /** Identifies the record in paths and bodies; never used for another one */
      id: number;
    };
    query: undefined;
    body: ShipUpdate;
    success: 200;
    reply: SteamerChanged & Warnings;
`);
});

test("finds the parameters that operations share", () => {
  has(`  /** List ships */
  "GET /api/v1/ships": {
    params: undefined;
    query: {
      /** Items on a page, at most 100 */
      per_page?: number;
      /** Page, from 1 */
      page?: number;
    };
    body: undefined;
`);
});
