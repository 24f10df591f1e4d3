import { type TObject, Type } from "typebox";
import type { Plan } from "../../../http/dry-run.ts";
import type { Route } from "../../../http/route.ts";
import { objectOf, textOf } from "../../../lib/foreign.ts";
import { type Input, Refusal } from "../api.ts";
import { nameOfRoute } from "../connection.ts";
import { describeOperation, findOperation, hasPlan, isConfirmed, searchOperations } from "../operations.ts";
import { type Call, Int, listOf, NullableText, planFields, Text, type Tool, tool } from "../tool.ts";
import { sayPlan } from "./plans.ts";

const mostShown = 6;
const longestShape = 500;

const findOperationTool = tool({
  name: "find_operation",
  title: "Find an operation of the API",
  description:
    "Searches all operations of the API that your token can send, for what the other tools do not do: databases, jobs, certificates, " +
    "load balancers, moves, channels, status pages, members. Answers with their parameters for call_operation.",
  input: Type.Object({
    text: Type.String({ minLength: 1, maxLength: 200, description: "Words, or one operation's id" }),
  }),
  output: Type.Object({
    operations: listOf(
      Type.Object({
        operation: Text,
        request: Text,
        summary: Text,
        permission: Text,
        confirms: Type.Boolean(),
        params: Text,
        query: Text,
        body: Text,
      }),
    ),
    total: Int,
  }),
  needs: [],
  run: async ({ answer, operations }, { text }) => {
    const exact = findOperation(operations, text);
    const found = exact ? [exact] : searchOperations(operations, text);
    const shown = found.slice(0, mostShown).map((route) => cut(describeOperation(route), exact !== undefined));
    answer.say(found.length === 0 ? "No operation has all of these words. Try fewer." : `${found.length} operations:`);
    for (const { operation, request, summary, permission, confirms, ...shapes } of shown) {
      answer.say(
        `- ${operation}: ${summary}. ${request}, needs ${permission}${confirms ? ", has to be confirmed" : ""}.`,
      );
      for (const [part, shape] of Object.entries(shapes)) if (shape !== "") answer.say(`  ${part} ${shape}`);
    }
    if (exact?.description) answer.say(exact.description);
    answer.data = { operations: shown, total: found.length };
  },
});

/** The whole of an operation that was named by its id. */
const cut = (described: ReturnType<typeof describeOperation>, isWhole: boolean): typeof described => {
  const longest = isWhole ? 4 * longestShape : longestShape;
  const short = (shape: string) =>
    shape.length <= longest ? shape : `${shape.slice(0, longest)} … (search its id for all)`;
  return { ...described, params: short(described.params), query: short(described.query), body: short(described.body) };
};

const Values = (description: string) =>
  Type.Optional(Type.Unsafe<Record<string, unknown>>({ type: "object", description }));

const callOperation = tool({
  name: "call_operation",
  title: "Call an operation of the API",
  description:
    "Sends one operation that find_operation names. A DELETE, and what bills or cannot be undone, answers with a plan first.",
  input: Type.Object({
    operation: Type.String({ maxLength: 200, description: "Its id" }),
    params: Values("Of the path"),
    query: Values("Of the address"),
    body: Values("Fields of the body"),
  }),
  output: Type.Object({ ...planFields, operation: NullableText }),
  needs: [],
  plan: async (call, args) => {
    const route = routeOf(call, args.operation);
    call.answer.data = { operation: describeOperation(route).operation };
    if (!isConfirmed(route) || isDryRun(route, args.query)) return undefined;
    call.answer.say(`${route.summary}: ${nameOfRoute(route)}.`);
    call.answer.quote("the arguments of this call", JSON.stringify(args.params));
    const typed = await nameOfRecord(call, route, args.params);
    if (!hasPlan(route)) {
      call.answer.say("The API does not count what this changes. It may not be possible to undo it.");
      return { plan: undefined, ...typed };
    }
    const { plan } = await call.api.send<{ plan: Plan }>(nameOfRoute(route), inputOf(route, args, { dry_run: 1 }));
    sayPlan(call.answer, plan);
    return { plan, ...typed };
  },
  run: async (call, args, confirmationId) => {
    const route = routeOf(call, args.operation);
    const input = inputOf(route, args, {});
    const body = await call.api.send<unknown>(nameOfRoute(route), {
      ...input,
      ...(confirmationId !== undefined && route.method === "POST" ? { idempotencyKey: confirmationId } : {}),
    });
    call.answer.say(`${nameOfRoute(route)} was answered with success.`);
    call.answer.quote("the answer of the API", JSON.stringify(body, undefined, 1));
    call.answer.data = { operation: describeOperation(route).operation };
  },
});

/** Where there is no dry run, the parameter must not stand for a confirmation. */
const isDryRun = (route: Route, query: Record<string, unknown> | undefined): boolean =>
  hasPlan(route) && [1, "1", true, "true"].includes(query?.dry_run as never);

function routeOf({ operations }: Call, text: string): Route {
  const route = findOperation(operations, text);
  if (route) return route;
  throw new Refusal(404, { message: "No operation that your token can send has this id. Search with find_operation." });
}

function inputOf(
  route: Route,
  { params = {}, query = {}, body }: { params?: object; query?: object; body?: object },
  more: Record<string, unknown>,
): Input {
  const names = Object.keys((route.params as TObject | undefined)?.properties ?? {});
  const missing = names.filter((name) => !Object.hasOwn(params, name));
  if (missing.length > 0) {
    throw new Refusal(422, {
      message: "Parameters of the path are missing.",
      errors: Object.fromEntries(missing.map((name) => [`params.${name}`, `${name} is missing.`])),
    });
  }
  return {
    params: params as Record<string, string | number>,
    query: { ...query, ...more },
    ...(body === undefined ? {} : { body }),
  };
}

/** What a person types to confirm the deletion of a record that has a name. */
async function nameOfRecord(call: Call, route: Route, params: object | undefined): Promise<{ typed?: string }> {
  const path = route.path.replace("/project/", "/projects/");
  const shown = call.operations.find((each) => each.method === "GET" && each.path === path);
  if (route.method !== "DELETE" || !shown || !call.api.may(nameOfRoute(shown))) return {};
  const answer = await call.api.send<Record<string, unknown>>(
    nameOfRoute(shown),
    inputOf(shown, { params: params ?? {} }, {}),
  );
  const name = textOf(objectOf(answer.data ?? answer).name);
  if (name === "") return {};
  call.answer.quote("the name of the record", name);
  return { typed: name };
}

export const operationTools: readonly Tool[] = [findOperationTool, callOperation];
