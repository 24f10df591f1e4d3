import { type Static, type TOptional, type TSchema, Type } from "typebox";
import { described, isOn, Switch } from "./schemas.ts";

// The settings of a record are a table with an entry for each. Its name is that of the column, and of the field in requests and
// answers. The columns of queries, the shapes, the values after a request and the input of plans are made from the table.

// Methods, since a table contains settings of several types.
interface Setting<Shown extends TSchema, Given extends TSchema, Stored, Plan extends object, Scope extends string> {
  shown: Shown;
  given: Given;
  initial: Stored;
  store(given: Static<Given>, current: Stored): Stored;
  plan(stored: Stored): Plan;
  scope: Scope;
}

type AnySetting = Setting<TSchema, TSchema, unknown, object, string>;
type SettingTable = Readonly<Record<string, AnySetting>>;

/** An entry of a table. */
export const setting = <
  Shown extends TSchema,
  Given extends TSchema,
  Stored = Static<Given>,
  Plan extends object = object,
  Scope extends "change" | "creation" = "creation",
>(entry: {
  /** As answers show it. */
  shown: Shown;
  /** As requests give it. */
  given: Given;
  /** In a new record, unless the request gives it. */
  initial: NoInfer<Stored>;
  /** What is stored; default: what is given. */
  store?: (given: Static<Given>, current: NoInfer<Stored>) => Stored;
  /** What plans receive, with its name there; default: nothing. */
  plan?: (stored: NoInfer<Stored>) => Plan;
  /** `change`: it is given only in requests that change a record; default: also in those that create one. */
  scope?: Scope;
}): Setting<Shown, Given, Stored, Plan, Scope> => ({
  store: (given) => given as Stored,
  plan: () => ({}) as Plan,
  scope: "creation" as Scope,
  ...entry,
  given: describedAs(entry.shown, entry.given),
});

/** What is given has the meaning of what is shown, unless it has its own. */
const describedAs = <Given extends TSchema>(shown: TSchema, given: Given): Given => {
  const { description } = shown as { description?: string };
  return description === undefined || "description" in given ? given : described(given, description);
};

/** The part of an entry that is on or off. */
export const onOff = (shown: { description?: string } = {}) => ({
  shown: Type.Boolean(shown),
  given: Switch,
  store: isOn,
});

/** The fields of a row. */
export type StoredIn<T extends SettingTable> = { -readonly [Name in keyof T]: ReturnType<T[Name]["store"]> };

type GivenIn<T extends SettingTable> = { [Name in keyof T]?: Static<T[Name]["given"]> | undefined };

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** What plans receive. */
export type PlannedIn<T extends SettingTable> = Intersection<ReturnType<T[keyof T]["plan"]>>;

export const settingNames = <T extends SettingTable>(table: T) => Object.keys(table) as (keyof T & string)[];

const mapped = <Result>(table: SettingTable, of: (entry: AnySetting, name: string) => unknown): Result =>
  Object.fromEntries(Object.entries(table).map(([name, entry]) => [name, of(entry, name)])) as Result;

/** The properties of an answer. */
export const shownIn = <T extends SettingTable>(table: T) =>
  mapped<{ [Name in keyof T]: T[Name]["shown"] }>(table, ({ shown }) => shown);

/** The properties of a request that changes a record. */
export const givenIn = <T extends SettingTable>(table: T) =>
  mapped<{ [Name in keyof T]: TOptional<T[Name]["given"]> }>(table, ({ given }) => Type.Optional(given));

/** The properties of a request that creates a record. */
export const creationIn = <T extends SettingTable>(table: T) =>
  Object.fromEntries(Object.entries(givenIn(table)).filter(([name]) => table[name]?.scope === "creation")) as {
    [Name in keyof T as T[Name]["scope"] extends "creation" ? Name : never]: TOptional<T[Name]["given"]>;
  };

/** The values of a new record after a valid request. */
export const initialIn = <T extends SettingTable>(table: T, asked: GivenIn<NoInfer<T>> = {}) =>
  mapped<StoredIn<T>>(table, ({ scope, initial, store }, name) =>
    scope === "change" || asked[name] === undefined ? initial : store(asked[name], initial),
  );

/** The values after a valid request, or without one, those of a row. */
export const valuesIn = <T extends SettingTable>(table: T, row: StoredIn<T>, asked: GivenIn<NoInfer<T>> = {}) =>
  mapped<StoredIn<T>>(table, ({ store }, name) =>
    asked[name] === undefined ? row[name] : store(asked[name], row[name]),
  );

/** The input of plans. */
export const plannedIn = <T extends SettingTable>(table: T, row: StoredIn<T>) =>
  Object.assign({}, ...Object.entries(table).map(([name, { plan }]) => plan(row[name]))) as PlannedIn<T>;
