import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import type { Overview } from "../../../../contract/types.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { gitHosts, overview } from "../../data/overview.ts";
import { thisMachine } from "../../data/servers.ts";
import { type OrganizationId, paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";

interface Step {
  title: string;
  text: string;
  isDone: boolean;
  /** Undefined: the account may not do it. */
  action: Action | undefined;
  /** Another way to do it. */
  other?: Action | undefined;
}

interface Action {
  href: string;
  label: string;
}

/** What leads to the first deployment, with what is done already. */
export function FirstSteps() {
  const steps = useSteps();
  const next = steps.find(({ isDone, action }) => !isDone && action);
  return (
    <Section title="First steps" description="From an empty organization to a project that is live.">
      <StepList steps={steps} next={next} />
    </Section>
  );
}

export function StepList({ steps, next }: { steps: readonly Step[]; next: Step | undefined }) {
  return (
    <ol className="border-line border-t">
      {steps.map((step, index) => (
        <li key={step.title} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b py-3">
          <StepMark number={index + 1} isDone={step.isDone} />
          <div className="min-w-0 grow basis-60">
            <p className="font-medium text-prose">{step.title}</p>
            <p className="text-text-2">{step.text}</p>
          </div>
          {!step.isDone && step.action && <Actions step={step} action={step.action} isNext={step === next} />}
        </li>
      ))}
    </ol>
  );
}

const Actions = ({ step, action, isNext }: { step: Step; action: Action; isNext: boolean }) => (
  <div className="flex flex-wrap gap-2">
    {step.other && <ButtonLink href={step.other.href}>{step.other.label}</ButtonLink>}
    <ButtonLink href={action.href} kind={isNext ? "primary" : "secondary"}>
      {action.label}
    </ButtonLink>
  </div>
);

function StepMark({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span
      data-step={isDone ? "done" : "open"}
      className={`grid size-6 shrink-0 place-items-center rounded-full border text-meta tabular ${
        isDone ? "border-ok bg-ok-bg text-ok" : "border-control text-text-2"
      }`}
    >
      {isDone ? <Check role="img" aria-label="Done" size={14} strokeWidth={2} /> : number}
    </span>
  );
}

/** A server that was added is connected when its setup has ended. */
function connecting(
  o: OrganizationId,
  servers: Overview["servers"],
  { addsServers, isOwnOffered }: { addsServers: boolean; isOwnOffered: boolean },
): Omit<Step, "title"> {
  const isDone = (servers?.ready ?? 0) + (servers?.unreachable ?? 0) > 0;
  if (servers && servers.total > 0 && !isDone) {
    const text = "A server was added. Its page shows what is left to do until it is ready.";
    return { text, isDone, action: { href: paths.servers(o), label: "Show servers" } };
  }
  return {
    text: isOwnOffered
      ? "The machine that Longshore runs on, another one of yours, or one that is ordered for you."
      : "One of your own, by its address, or one that is ordered for you.",
    isDone,
    action: addsServers ? { href: paths.newServer(o), label: "Connect server" } : undefined,
    other: isOwnOffered ? { href: `${paths.newServer(o)}?machine=this`, label: "Use this machine" } : undefined,
  };
}

function useSteps(): Step[] {
  const o = useOrganization();
  const [addsServers, addsProjects, addsHosts] = [
    useMay("server:create"),
    useMay("project:create"),
    useMay("organization:manage"),
  ];
  const counts = useQuery(overview(o)).data?.data;
  const own = useQuery({ ...thisMachine(o), enabled: addsServers }).data?.data;
  const hosts = useQuery({ ...gitHosts(o), enabled: addsProjects }).data?.data;
  return [
    {
      title: "Connect a server",
      ...connecting(o, counts?.servers ?? null, { addsServers, isOwnOffered: own?.is_offered === true }),
    },
    {
      title: "Connect a git host",
      text: "For private repositories and deployments on push. A public repository needs none.",
      isDone: (hosts?.length ?? 0) > 0,
      action: addsHosts ? { href: paths.settings(o, "git-hosts"), label: "Connect git host" } : undefined,
    },
    {
      title: "Deploy a project",
      text: "Choose a repository and a server; what it needs is detected.",
      isDone: false,
      action: addsProjects ? { href: paths.newProject(o), label: "New project" } : undefined,
    },
  ];
}
