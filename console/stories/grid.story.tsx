import { MoreHorizontal } from "lucide-react";
import { useMemo, useState } from "react";
import { Button } from "../src/ui/button.tsx";
import { Code } from "../src/ui/code.tsx";
import { type Filter, FilterBar } from "../src/ui/filter-bar.tsx";
import type { GridColumn } from "../src/ui/grid-row.tsx";
import { IconButton } from "../src/ui/icon-button.tsx";
import { Menu } from "../src/ui/menu.tsx";
import { PageHeader } from "../src/ui/page-header.tsx";
import { StateIcon } from "../src/ui/state-icon.tsx";
import { Time } from "../src/ui/time.tsx";
import { type GridSort, type RowKey, VirtualGrid } from "../src/ui/virtual-grid.tsx";

interface Project {
  id: number;
  name: string;
  state: (typeof projectStates)[number];
  commit: string;
  server: string;
  at: number;
}

const projectStates = [
  { word: "Live", tone: "ok" },
  { word: "Live", tone: "ok" },
  { word: "Failed", tone: "bad" },
  { word: "Live", tone: "ok" },
  { word: "Deploying", tone: "run" },
  { word: "Not installed", tone: "idle" },
] as const;
const names = [
  "Shop",
  "Blog",
  "متجر الكتب",
  "Harbour",
  "A name that is far longer than any column of any list has room for",
];

const projects = (count: number): Project[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `${names[index % names.length]} ${index + 1}`,
    state: projectStates[(index * 7) % projectStates.length] as Project["state"],
    commit: (index * 2_654_435 + 1_193_046).toString(16).padStart(7, "0").slice(0, 7),
    server: `shop-${(index % 12) + 1}`,
    at: Date.now() - index * 5_400_000,
  }));

const columns: GridColumn<Project>[] = [
  {
    id: "name",
    label: "Name",
    width: "minmax(180px, 3fr)",
    sort: "name",
    render: ({ name }) => <span dir="auto">{name}</span>,
  },
  {
    id: "state",
    label: "State",
    width: "130px",
    phone: "end",
    render: ({ state }) => <StateIcon tone={state.tone} word={state.word} />,
  },
  {
    id: "commit",
    label: "Commit",
    width: "90px",
    render: ({ commit }) => <Code className="text-text-2">{commit}</Code>,
  },
  { id: "server", label: "Server", width: "minmax(80px, 1fr)", drop: 1, render: ({ server }) => server },
  {
    id: "at",
    label: "Deployed",
    width: "90px",
    align: "end",
    sort: "last_deployed_at",
    render: ({ at }) => <Time plain at={at} />,
  },
];
const keyOf = ({ id }: Project): number => id;
const hrefOf = ({ id }: Project): string => `#project-${id}`;
const actionsOf = ({ name }: Project) => (
  <Menu
    label={`Actions of ${name}`}
    trigger={<IconButton label={`Actions of ${name}`} icon={MoreHorizontal} compact excludeFromTabOrder />}
    sections={[{ items: [{ id: "deploy", label: "Deploy" }] }]}
  />
);

function List({ count }: { count: number }) {
  const all = useMemo(() => projects(count), [count]);
  const [query, setQuery] = useState("");
  const [states, setStates] = useState<string[]>([]);
  const [servers, setServers] = useState<string[]>([]);
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set([2]));
  const [sort, setSort] = useState<GridSort>({ key: "name", direction: "ascending" });
  const rows = useMemo(
    () => all.filter(({ name, state }) => name.includes(query) && (states.length === 0 || states.includes(state.word))),
    [all, query, states],
  );
  const filters: Filter[] = [
    {
      id: "state",
      label: "State",
      selected: states,
      options: [...new Set(projectStates.map(({ word }) => word))].map((word) => ({ id: word, label: word, count: 4 })),
    },
    {
      id: "server",
      label: "Server",
      selected: servers,
      options: Array.from({ length: 12 }, (_, index) => ({ id: `${index}`, label: `shop-${index + 1}` })),
    },
  ];
  return (
    <main className="flex flex-col gap-4 p-4 sm:p-8">
      <PageHeader title="Projects" actions={<Button kind="primary">New project</Button>} />
      <FilterBar
        label="Filter projects"
        query={query}
        onQuery={setQuery}
        filters={filters}
        onFilter={(id, next) => (id === "state" ? setStates : setServers)(next)}
        onReset={() => setStates([])}
        count={`${rows.length} of ${all.length}`}
      />
      <VirtualGrid
        label="Projects"
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        rowHref={hrefOf}
        actions={actionsOf}
        selected={selected}
        onSelect={setSelected}
        sort={sort}
        onSort={setSort}
      />
    </main>
  );
}

export const alone = true;
export const states = { few: () => <List count={8} />, many: () => <List count={10_000} /> };
