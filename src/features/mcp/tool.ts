import { type Static, type TObject, type TSchema, Type } from "typebox";
import type { Plan } from "../../http/dry-run.ts";
import type { Route } from "../../http/route.ts";
import type { Answer } from "./answers.ts";
import type { Api } from "./api.ts";
import type { Narrowing } from "./connection.ts";

/** One call of a tool. */
export interface Call {
  api: Api;
  answer: Answer;
  narrowing: Narrowing;
  /** All that the caller can ever send. */
  operations: readonly Route[];
  /** The address of a page of the console: `/projects/5`. */
  page(path: string): string;
  /** Shows the client that the call continues; nothing happens when it did not ask for that. */
  progress(done: number, total: number, message: string): Promise<void>;
  wantsProgress: boolean;
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
}

/** What has to be confirmed. */
export interface Planned {
  /** As the API counts it; undefined: it counts nothing for this. */
  plan: Plan | undefined;
  /** What the person who confirms has to type; undefined: a yes is enough. */
  typed?: string;
}

export interface Tool {
  name: string;
  title: string;
  /** What it does, and when to use it. Never with text from elsewhere. */
  description: string;
  input: TObject;
  output: TObject;
  /** The routes without which it is of no use: it is offered to callers who have the permissions of all of them. */
  needs: readonly string[];
  /** Other routes that it sends requests to. */
  uses: readonly string[];
  /** Whether a connection that is narrowed to one project has it. */
  isOfProject: boolean;
  /** Only for tools that confirm: describes in the answer what would happen. Undefined: this call needs no confirmation. */
  plan?: (call: Call, args: unknown) => Promise<Planned | undefined>;
  /** `confirmationId`: that of the confirmation that was used for it. */
  run: (call: Call, args: unknown, confirmationId: string | undefined) => Promise<void>;
}

interface Definition<Input extends TObject> extends Omit<Tool, "input" | "plan" | "run" | "uses" | "isOfProject"> {
  input: Input;
  uses?: readonly string[];
  isOfProject?: boolean;
  plan?: (call: Call, args: Static<Input>) => Promise<Planned | undefined>;
  run: (call: Call, args: Static<Input>, confirmationId: string | undefined) => Promise<void>;
}

/** Derives the types of the arguments; the table itself is uniform. */
export const tool = <Input extends TObject>(definition: Definition<Input>): Tool =>
  ({
    ...definition,
    uses: definition.uses ?? [],
    isOfProject: definition.isOfProject ?? false,
    output: withUntrusted(definition.output),
    input: definition.plan ? withConfirm(definition.input) : definition.input,
  }) as unknown as Tool;

const withUntrusted = (output: TObject): TObject =>
  Type.Object({
    ...output.properties,
    // Shapes cost every client room in each conversation, and the instructions explain it.
    untrusted: Type.Optional(Type.Unsafe<object[]>({ type: "array", items: { type: "object" } })),
  });

const withConfirm = (input: TObject): TObject =>
  Type.Object({
    ...input.properties,
    confirm: Type.Optional(Type.String({ description: "From the plan that the first call answers with" })),
  });

// Parts of the shapes -------------------------------------------------------------------------------------------------------

const IdOrName = (description: string) =>
  Type.Unsafe<string | number>({ type: ["string", "integer"], description, minLength: 1, maxLength: 200, minimum: 1 });

export const ProjectArgument = Type.Optional(IdOrName("Id or exact name"));
export const ServerArgument = IdOrName("Id or exact name");
export const Cursor = Type.Optional(Type.String({ description: "From the answer before" }));
export const NextCursor = Type.Optional(Type.String({ description: "For more" }));
export const WaitSeconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 50, description: "Default: 25" }));

/** Of tools that confirm: the answer to the first call. */
export const planFields = {
  plan: Type.Optional(Type.Unsafe<Plan>({ type: "object", description: "What is lost and what it costs" })),
  confirm: Type.Optional(Type.String({ description: "Repeat the same arguments with it" })),
};

export const Text = Type.String();
export const Int = Type.Integer();
export const OptionalText = Type.Optional(Text);
export const OptionalInt = Type.Optional(Int);
export const NullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });
export const listOf = <Item extends TSchema>(item: Item) => Type.Array(item);
