import { useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import type { Session } from "../../../../contract/types.ts";
import { sentenceOf } from "../../api/errors.ts";
import { sessions } from "../../data/account.ts";
import { useWrite } from "../../data/write.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast.tsx";
import { browserOf } from "./browser-of.ts";

/** Where the account is signed in. */
export function SessionSection() {
  const query = useQuery(sessions());
  const others = query.data?.data.filter(({ is_current }) => !is_current) ?? [];
  return (
    <Section title="Sessions" actions={others.length > 0 && <EndOthers />}>
      <Loaded query={query} what="The sessions could not be read." rows={2}>
        {({ data }) => <SessionTable sessions={data} />}
      </Loaded>
    </Section>
  );
}

function EndOthers() {
  const end = useWrite("DELETE /api/v1/me/sessions", {
    touches: ["sessions"],
    onDone: ({ message }) => void showToast({ text: message }),
  });
  return (
    <Button onPress={() => end.mutate({})} isPending={end.isPending}>
      Sign out everywhere else
    </Button>
  );
}

const columns: Column<Session>[] = [
  {
    id: "browser",
    label: "Browser",
    grow: true,
    render: ({ user_agent, is_current }) => (
      <span className="flex items-center gap-2">
        <span className="truncate" {...(user_agent && { title: user_agent })}>
          {browserOf(user_agent)}
        </span>
        {is_current && <Badge>This session</Badge>}
      </span>
    ),
  },
  { id: "ip", label: "Address", render: ({ ip }) => ip ?? "–" },
  {
    id: "signed_in_at",
    label: "Signed in",
    phone: "labelled",
    render: (session) => <Time plain at={session.signed_in_at} />,
  },
  {
    id: "last_used_at",
    label: "Last used",
    phone: "labelled",
    render: (session) => <Time plain at={session.last_used_at} />,
  },
];

export const SessionTable = ({ sessions: rows }: { sessions: readonly Session[] }) => (
  <SmallTable
    label="Sessions"
    columns={columns}
    rows={rows}
    rowKey={({ id }) => id}
    actions={(session) => (session.is_current ? null : <EndSession session={session} />)}
  />
);

function EndSession({ session: { id, user_agent } }: { session: Session }) {
  const end = useWrite("DELETE /api/v1/me/sessions/{id}", { touches: ["sessions"] });
  const sentence = sentenceOf(end.error);
  return (
    <>
      {sentence && (
        <span role="alert" className="text-bad">
          {sentence}
        </span>
      )}
      <IconButton
        compact
        label={`End session: ${browserOf(user_agent)}`}
        icon={LogOut}
        onPress={() => end.mutate({ params: { id } })}
      />
    </>
  );
}
