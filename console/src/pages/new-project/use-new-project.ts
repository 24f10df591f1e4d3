import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { request } from "../../api/client.ts";
import { fieldsOf } from "../../api/errors.ts";
import { invalidate } from "../../data/cache.ts";
import { useOrganization } from "../../data/organization.ts";
import { useRequestKey, useWrite } from "../../data/write.ts";
import { announce } from "../../parts/announce.tsx";
import { paths } from "../../paths.ts";
import {
  type Draft,
  emptyDraft,
  readDraft,
  repositoryOf,
  requestOf,
  storeDraft,
  type Values,
  withDetected,
} from "./draft.ts";

export interface DraftProps {
  values: Values;
  set: (values: Partial<Values>) => void;
}

/** The draft of this tab, which outlives reloads and signing in again. */
export function useStoredDraft() {
  const o = useOrganization();
  const [draft, setDraft] = useState<Draft>(() => readDraft(o));
  const isDone = useRef(false);
  useEffect(() => {
    if (!isDone.current) storeDraft(o, draft === emptyDraft ? undefined : draft);
  }, [o, draft]);
  const set = (values: Partial<Values>) => setDraft((now) => ({ ...now, values: { ...now.values, ...values } }));
  const forget = () => {
    isDone.current = true;
    storeDraft(o, undefined);
  };
  return { draft, setDraft, set, forget };
}

/** Looks into the repository, on the given server where no account can read it, and fills in what was found. */
export function useDetection(setDraft: (change: (now: Draft) => Draft) => void) {
  const detect = useWrite("POST /api/v1/projects/detect", {
    onDone: ({ data }) => {
      setDraft(({ values }) => ({ values: withDetected(values, data), detection: data }));
      announce(data.framework ? `Detected ${data.framework.label}` : "No framework was detected");
    },
  });
  const begin = (values: Values) => {
    const directory = values.directory.trim();
    const body = { server_id: values.server_id as number, git_repository: repositoryOf(values) };
    detect.mutate({ body: { ...body, ...(directory !== "" && { directory }) } });
  };
  const { error, isPending, reset } = detect;
  return { begin, error, fields: fieldsOf(error), isPending, reset };
}

/** Creates the project, whose installation is its first deployment, and goes there. */
export function useCreation(onCreated: () => void) {
  const o = useOrganization();
  const navigate = useNavigate();
  const keyFor = useRequestKey();
  const create = useWrite("POST /api/v1/projects", {
    touches: ["projects", "overview"],
    onDone: async ({ project_id }) => {
      onCreated();
      const id = Number(project_id);
      const project = await request("GET /api/v1/projects/{id}", { organization: o, params: { id } }).catch(() => null);
      await invalidate([o, "deployments"]);
      const first = project?.last_deployment?.id;
      await navigate(first === undefined ? paths.project(o, id) : paths.deployment(o, first));
    },
  });
  const begin = (values: Values, environment: string) => {
    const body = requestOf(values, environment);
    const idempotencyKey = keyFor(body, create.error);
    create.mutate({ body, idempotencyKey });
  };
  return {
    begin,
    error: create.error,
    fields: fieldsOf(create.error),
    isPending: create.isPending,
    reset: create.reset,
  };
}
