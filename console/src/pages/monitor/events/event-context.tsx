import type { ReactNode } from "react";
import type { MonitorEvent } from "../../../data/monitors.ts";
import { useOrganization } from "../../../data/organization.ts";
import { paths } from "../../../paths.ts";
import { Link } from "../../../ui/link.tsx";
import { Time } from "../../../ui/time.tsx";
import { Printed } from "../printed.tsx";
import { findingsOf, phasesText, switchText } from "./context-texts.ts";

type Context = MonitorEvent["context"];

/** What is known about a change of state: what was found, what another server found, and what had changed before. */
export function EventContext({
  event: { context, created_at },
}: {
  event: Pick<MonitorEvent, "context" | "created_at">;
}) {
  const findings = findingsOf(context).join(", ");
  const phases = phasesText(context);
  return (
    <div className="flex flex-col gap-0.5 empty:hidden [overflow-wrap:anywhere]">
      {findings && <p>{findings}</p>}
      {phases && <p className="text-text-2">{phases}</p>}
      <Expected context={context} />
      <SecondOpinion context={context} />
      <Suspect context={context} downAt={created_at} />
      <Rollback context={context} />
      {context.output && <Output text={context.output} />}
    </div>
  );
}

/** When a report was due that did not come. */
function Expected({
  context: { expected_at: expected, last_report_at: last, started_at: started },
}: {
  context: Context;
}) {
  if (!expected) return null;
  return (
    <p>
      Expected <Time at={expected} />,{" "}
      {last ? (
        <>
          last report <Time at={last} />
        </>
      ) : (
        "no report before"
      )}
      {started && (
        <>
          ; a run that began <Time at={started} /> has not ended
        </>
      )}
    </p>
  );
}

function SecondOpinion({ context: { second_opinion: opinion, disturbed } }: { context: Context }) {
  const o = useOrganization();
  if (!opinion) return null;
  const verdict = opinion.is_up ? "gets an answer" : "finds the same";
  return (
    <p>
      <Link href={paths.server(o, opinion.server_id)}>
        <bdi>{opinion.server_name}</bdi>
      </Link>{" "}
      {verdict}: <span dir="auto">{opinion.message}</span>
      {disturbed && " The path from Longshore to the site is disturbed, so it counts as up."}
    </p>
  );
}

/** The deployment shortly before is what one looks at first. */
function Suspect({ context: { deployment }, downAt }: { context: Context; downAt: string }) {
  const o = useOrganization();
  if (!deployment) return null;
  return (
    <p>
      {switchText(deployment, downAt)}:{" "}
      <Link href={paths.deployment(o, deployment.id)}>
        {deployment.commit_id ? <code>{deployment.commit_id.slice(0, 7)}</code> : `deployment ${deployment.id}`}
      </Link>
      {deployment.description && (
        <>
          {", "}
          <span dir="auto">{deployment.description}</span>
        </>
      )}
    </p>
  );
}

function Rollback({ context: { rollback } }: { context: Context }): ReactNode {
  const o = useOrganization();
  if (!rollback) return null;
  if (rollback.deployment_id === undefined) return <p>Not rolled back: {rollback.refusal}</p>;
  return (
    <p>
      Rolled back by <Link href={paths.deployment(o, rollback.deployment_id)}>deployment {rollback.deployment_id}</Link>
    </p>
  );
}

const Output = ({ text }: { text: string }) => (
  <details>
    <summary className="cursor-pointer text-text-2">Output of the job</summary>
    <Printed text={text} />
  </details>
);
