import { Type } from "typebox";
import { Sync } from "../../../engine/reconcile/target.ts";
import { phpExtensions } from "../../../host/php/php-extensions.ts";
import { described, Nullable, named, OneOf, Success } from "../../../http/schemas.ts";
import { givenIn, initialIn, onOff, type StoredIn, setting, shownIn } from "../../../http/settings.ts";

/** What a project changes of its PHP. It applies without a deployment. */
export const phpChoices = {
  memory_limit_mb: setting({
    shown: Nullable(
      Type.Integer({
        description: "Memory limit of a request in MB; null: `max_memory` of the project, or else the server's 256",
      }),
    ),
    given: Nullable(Type.Integer({ minimum: 32, maximum: 16_384 })),
    initial: null,
    plan: (memoryLimitMb) => ({ memoryLimitMb }),
  }),
  max_execution_seconds: setting({
    shown: Nullable(
      Type.Integer({
        description:
          "Processor time of a request in seconds; null: the server's 60. Above 300 it is also how long a request may take in all",
      }),
    ),
    given: Nullable(Type.Integer({ minimum: 1, maximum: 7_200 })),
    initial: null,
    plan: (maxExecutionSeconds) => ({ maxExecutionSeconds }),
  }),
  max_workers: setting({
    shown: Type.Integer({
      description: "Requests at the same time on each server, at most one for each 32 MB of its memory; default: 20",
    }),
    given: Type.Integer({ minimum: 1, maximum: 1_000 }),
    initial: 20,
    plan: (maxWorkers) => ({ maxWorkers }),
  }),
  opcache_is_enabled: setting({
    ...onOff({ description: "Whether compiled scripts are kept in memory; default: on" }),
    initial: true,
    plan: (opcache) => ({ opcache }),
  }),
  opcache_memory_mb: setting({
    shown: Nullable(Type.Integer({ description: "Memory for compiled scripts in MB; null: the server's 192" })),
    given: Nullable(Type.Integer({ minimum: 8, maximum: 2_048 })),
    initial: null,
    plan: (opcacheMemoryMb) => ({ opcacheMemoryMb }),
  }),
  extensions: setting({
    shown: Type.Array(Type.String(), {
      description: "Extensions that its workers load besides those of every project",
    }),
    given: Type.Array(OneOf(phpExtensions), {
      maxItems: 20,
      title: "list of extensions",
    }),
    initial: [],
    store: (given) => [...new Set(given)].sort(),
    plan: (extensions) => ({ extensions }),
  }),
};

export type PhpRow = StoredIn<typeof phpChoices>;

export const initialPhp: PhpRow = initialIn(phpChoices);

export const PhpUpdate = named("PhpUpdate", Type.Object(givenIn(phpChoices)));

const Php = named(
  "Php",
  Type.Object({
    ...shownIn(phpChoices),
    most_workers: Nullable(
      Type.Integer({ description: "The largest `max_workers` for its server; null: not known yet" }),
    ),
    refusal: Nullable(Type.String({ description: "Why the last change was taken back; null: it was not" })),
    sync: Sync,
  }),
  "The PHP of a project",
);

export const PhpReply = named("PhpReply", Success({ data: Php }));
export const PhpChanged = named("PhpChanged", Success({ message: described(Type.String(), "The result"), data: Php }));
