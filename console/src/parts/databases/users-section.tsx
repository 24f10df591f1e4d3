import { useQuery } from "@tanstack/react-query";
import { KeyRound, UserMinus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Database, type DatabaseUser, databaseUsers } from "../../data/databases.ts";
import { useMay } from "../../data/me.ts";
import { useOrganization } from "../../data/organization.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, SmallTable } from "../../ui/small-table.tsx";
import { Time } from "../../ui/time.tsx";
import { Loaded } from "../loaded.tsx";
import { StatusIcon } from "./database-state.tsx";
import { useDatabaseRefusals } from "./use-database.ts";
import { UserDialogs, type UserQuestion } from "./user-dialogs.tsx";

/** Who can connect to it: its own user, and those who only read. */
export function UsersSection({ database }: { database: Database }) {
  const query = useQuery(databaseUsers(useOrganization(), database));
  const [question, setQuestion] = useState<UserQuestion>();
  const refusal = useDatabaseRefusals(database)("create_user");
  return (
    <Section
      title="Users"
      description="Its own user has all rights on it. Further ones can read all of it, also tables that come later, and change nothing."
      actions={
        useMay("server:update") && (
          <Button onPress={() => setQuestion({ kind: "add" })} disabledReason={refusal}>
            Add read-only user
          </Button>
        )
      }
    >
      <Loaded query={query} what="The users could not be read." rows={1}>
        {({ data }) => <UserTable database={database} readers={data} onAsk={setQuestion} />}
      </Loaded>
      <UserDialogs database={database} question={question} onClose={() => setQuestion(undefined)} />
    </Section>
  );
}

interface Row {
  username: string;
  status: Database["status"];
  created_at: string;
  /** Undefined: the database's own. */
  reader?: DatabaseUser;
}

const columns: readonly Column<Row>[] = [
  {
    id: "username",
    label: "Username",
    grow: true,
    render: ({ username, reader }) => (
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{username}</span>
        {reader?.error && (
          <span dir="auto" className="whitespace-normal text-bad text-meta">
            {reader.error}
          </span>
        )}
      </span>
    ),
  },
  { id: "access", label: "Access", render: ({ reader }) => (reader ? "Read only" : "All rights") },
  {
    id: "state",
    label: "State",
    render: ({ status, created_at }) => <StatusIcon status={status} since={created_at} />,
  },
  {
    id: "created",
    label: "Created",
    align: "end",
    phone: "hidden",
    render: ({ created_at: at }) => <Time at={at} plain />,
  },
];

interface TableProps {
  database: Database;
  readers: readonly DatabaseUser[];
  onAsk: (question: UserQuestion) => void;
}

function UserTable({ database, readers, onAsk }: TableProps) {
  const mayChange = useMay("server:update");
  const { username, status, created_at } = database;
  const rows: Row[] = [{ username, status, created_at }, ...readers.map((reader) => ({ ...reader, reader }))];
  return (
    <SmallTable
      label="Users"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.username}
      {...(mayChange && {
        actions: (row: Row): ReactNode => <UserActions database={database} row={row} onAsk={onAsk} />,
      })}
    />
  );
}

interface ActionsProps {
  database: Database;
  row: Row;
  onAsk: (question: UserQuestion) => void;
}

function UserActions({ database, row: { username, reader }, onAsk }: ActionsProps) {
  const refusal = useDatabaseRefusals(database);
  return (
    <>
      <IconButton
        compact
        icon={KeyRound}
        label={`Show the password of ${username}`}
        onPress={() => onAsk({ kind: "show", username, ...(reader && { reader }) })}
      />
      {reader ? (
        <IconButton
          compact
          icon={UserMinus}
          label={`Delete ${username}`}
          onPress={() => onAsk({ kind: "delete", reader })}
        />
      ) : (
        <Button compact onPress={() => onAsk({ kind: "change" })} disabledReason={refusal("change_password")}>
          New password
        </Button>
      )}
    </>
  );
}
