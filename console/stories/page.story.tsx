import { ChevronDown, MoreHorizontal, ExternalLink as Out } from "lucide-react";
import { Button } from "../src/ui/button.tsx";
import { Code } from "../src/ui/code.tsx";
import { Empty } from "../src/ui/empty.tsx";
import { ErrorPanel } from "../src/ui/error-panel.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { ButtonLink, Link } from "../src/ui/link.tsx";
import { Notice } from "../src/ui/notice.tsx";
import { PageHeader } from "../src/ui/page-header.tsx";
import { Pager } from "../src/ui/pager.tsx";
import { Properties, PropertyStrip } from "../src/ui/properties.tsx";
import { Section } from "../src/ui/section.tsx";
import { SkeletonRows } from "../src/ui/skeleton.tsx";
import { SmallTable } from "../src/ui/small-table.tsx";
import { StateIcon } from "../src/ui/state-icon.tsx";
import { TabLinks } from "../src/ui/tab-links.tsx";
import { Time } from "../src/ui/time.tsx";

const tabs = ["Overview", "Deployments", "Domains", "Environment", "Jobs", "Databases", "Logs", "Settings"].map(
  (label) => ({ label, href: `#${label}`, ...(label === "Deployments" && { count: 128 }) }),
);

const header = (
  <PageHeader
    title="Shop"
    parent={{ href: "#projects", label: "Projects" }}
    state={<StateIcon tone="ok" word="Live" state="live" />}
    details={
      <>
        <Link href="#">shop.example.com</Link>
        <span>
          <Code>3f9a2c1</Code> Take VAT of the Netherlands
        </span>
        <span>on shop-1</span>
        <Time at={Date.now() - 7_500_000} />
      </>
    }
    actions={
      <>
        <Button kind="primary">
          Deploy <ChevronDown aria-hidden size={16} />
        </Button>
        <Button icon={Out}>Visit</Button>
        <IconButton label="More actions" icon={MoreHorizontal} />
      </>
    }
    tabs={<TabLinks label="Project" items={tabs} current="#Overview" />}
  />
);

interface Row {
  id: number;
  tone: "ok" | "bad" | "run";
  word: string;
  commit: string;
  message: string;
  who: string;
  took: string;
  at: number;
}

const rows: Row[] = [
  {
    id: 131,
    tone: "run",
    word: "Deploying",
    commit: "9be01d4",
    message: "Round totals per line",
    who: "Bob",
    took: "–",
    at: 14_000,
  },
  {
    id: 130,
    tone: "ok",
    word: "Live",
    commit: "3f9a2c1",
    message: "Take VAT of the Netherlands into account when the customer has no number",
    who: "Alice",
    took: "8 s",
    at: 7_500_000,
  },
  {
    id: 129,
    tone: "bad",
    word: "Failed",
    commit: "70c5aa2",
    message: "إضافة صفحة الدفع",
    who: "Push to main",
    took: "1 min 12 s",
    at: 86_400_000,
  },
];

const table = (
  <SmallTable
    label="Deployments"
    rows={rows}
    rowKey={(row) => row.id}
    rowHref={(row) => `#${row.id}`}
    actions={() => <IconButton label="Actions" icon={MoreHorizontal} compact />}
    columns={[
      { id: "state", label: "State", render: (row) => <StateIcon tone={row.tone} word={row.word} /> },
      {
        id: "commit",
        label: "Commit",
        grow: true,
        render: (row) => (
          <>
            <Code className="mr-2 text-text-2">{row.commit}</Code>
            <span dir="auto">{row.message}</span>
          </>
        ),
      },
      { id: "who", label: "Started by", render: (row) => row.who },
      { id: "took", label: "Took", align: "end", phone: "labelled", render: (row) => row.took },
      { id: "at", label: "Started", align: "end", render: (row) => <Time plain at={Date.now() - row.at} /> },
    ]}
  />
);

const page = "mx-auto flex max-w-[1280px] flex-col gap-8 p-4 sm:p-8";

export const alone = true;
export const states = {
  project: () => (
    <main className={page}>
      {header}
      <Notice
        tone="warn"
        title="The certificate of shop.example.com expires in 6 days"
        action={<Button compact>Renew certificate</Button>}
      >
        The authority could not reach the server: port 80 is closed.
      </Notice>
      <Section title="Latest deployments" actions={<Link href="#">All deployments</Link>}>
        {table}
        <Pager earlier="#" later="#" />
      </Section>
      <Section title="Server" description="Where the project runs, and what it may use.">
        <PropertyStrip
          items={[
            { label: "Server", value: <Link href="#">shop-1</Link> },
            { label: "Framework", value: "Laravel 13" },
            { label: "PHP", value: "8.5" },
            { label: "Disk", value: "1.4 GB" },
            { label: "Group", value: undefined },
          ]}
        />
        <Properties
          items={[
            { label: "Repository", value: "github.com/example/shop" },
            { label: "Branch", value: <Code>main</Code> },
            { label: "Web directory", value: <Code>public</Code> },
            { label: "Health check", value: undefined },
          ]}
        />
      </Section>
    </main>
  ),
  states: () => (
    <main className={page}>
      <PageHeader title="Deployments" />
      <Section title="Loading">
        <SkeletonRows rows={3} />
      </Section>
      <Section title="Empty">
        <Empty
          title="No deployments yet"
          action={
            <ButtonLink href="#" kind="primary">
              Deploy
            </ButtonLink>
          }
        >
          A deployment builds a commit, proves that it is healthy, and puts it live.
        </Empty>
      </Section>
      <Section title="Failed">
        <ErrorPanel
          what="The deployments could not be read."
          message="The database did not answer within 5 s."
          requestId="req_01hq4x7v9k"
          onRetry={() => {}}
        />
      </Section>
      <Section title="Notices">
        {(["ok", "bad", "run", "warn", "idle"] as const).map((tone) => (
          <Notice key={tone} tone={tone} title="The server has not taken your last change">
            It is applied when the server can be reached again.
          </Notice>
        ))}
      </Section>
    </main>
  ),
};
