import { useQuery } from "@tanstack/react-query";
import { fieldsOf, sentenceOf } from "../../api/errors.ts";
import {
  type Database,
  type DatabaseUser,
  databasePassword,
  databaseUserPassword,
  paramsOf,
} from "../../data/databases.ts";
import { useOrganization } from "../../data/organization.ts";
import { useWrite } from "../../data/write.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.tsx";
import { textsOf } from "../form-text.ts";
import { Loaded } from "../loaded.tsx";
import { Submit } from "../submit.tsx";
import { NewPasswordField, UsernameField } from "./account-fields.tsx";
import { touches, useDatabaseRefusals } from "./use-database.ts";

/** What one does with users in a dialog. */
export type UserQuestion =
  | { kind: "add" | "change" }
  /** Without a reader: of the database's own user. */
  | { kind: "show"; username: string; reader?: DatabaseUser }
  | { kind: "delete"; reader: DatabaseUser };

interface Props {
  database: Database;
  question: UserQuestion | undefined;
  onClose: () => void;
}

export function UserDialogs({ database, question, onClose }: Props) {
  if (!question) return null;
  if (question.kind === "delete") return <DeleteUser database={database} reader={question.reader} onClose={onClose} />;
  const { database_name: name, username } = database;
  const titles = { add: `Add a user who reads ${name}`, change: `New password of ${username}` };
  return question.kind === "show" ? (
    <Dialog isOpen onClose={onClose} title={`Password of ${question.username}`}>
      {question.reader ? (
        <ReaderPassword database={database} id={question.reader.id} />
      ) : (
        <OwnPassword database={database} />
      )}
    </Dialog>
  ) : (
    <Dialog isOpen onClose={onClose} title={titles[question.kind]}>
      {question.kind === "add" ? (
        <AddForm database={database} onClose={onClose} />
      ) : (
        <ChangeForm database={database} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface FormProps {
  database: Database;
  onClose: () => void;
}

function AddForm({ database, onClose }: FormProps) {
  const add = useWrite("POST /api/v1/servers/{id}/databases/{database}/users", { touches, onDone: onClose });
  const send = (values: FormData) =>
    add.mutate({ params: paramsOf(database), body: textsOf(values, "username", "password") });
  return (
    <Form onSubmit={send} errors={fieldsOf(add.error)}>
      <UsernameField />
      <NewPasswordField />
      <Submit isPending={add.isPending} error={add.error}>
        Add user
      </Submit>
    </Form>
  );
}

function ChangeForm({ database, onClose }: FormProps) {
  const change = useWrite("POST /api/v1/servers/{id}/databases/{database}/password", {
    touches,
    onDone: ({ message }) => {
      showToast({ text: message, tone: "ok" });
      onClose();
    },
  });
  const send = (values: FormData) => change.mutate({ params: paramsOf(database), body: textsOf(values, "password") });
  return (
    <Form onSubmit={send} errors={fieldsOf(change.error)}>
      <p className="text-text-2">
        What connects with the present one is refused once the server has the new one. The environment variables of
        projects are not changed: enter it there.
      </p>
      <NewPasswordField />
      <Submit isPending={change.isPending} error={change.error}>
        Change password
      </Submit>
    </Form>
  );
}

function DeleteUser({ database, reader: { id, username }, onClose }: FormProps & { reader: DatabaseUser }) {
  const refusal = useDatabaseRefusals(database)("delete_user");
  const remove = useWrite("DELETE /api/v1/servers/{id}/databases/{database}/users/{user}", {
    touches,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Delete ${username}`}
      verb="Delete user"
      danger
      onConfirm={() => remove.mutate({ params: { ...paramsOf(database), user: id } })}
      isPending={remove.isPending}
      refusal={sentenceOf(remove.error)}
      disabledReason={refusal}
    >
      <p>Its connections end, and what connects with it is refused. The content of the database stays.</p>
    </ConfirmDialog>
  );
}

function OwnPassword({ database }: { database: Database }) {
  const query = useQuery(databasePassword(useOrganization(), database));
  return (
    <Loaded query={query} what="The password could not be read." rows={1}>
      {({ data }) => <Password text={data.password} />}
    </Loaded>
  );
}

function ReaderPassword({ database, id }: { database: Database; id: number }) {
  const query = useQuery(databaseUserPassword(useOrganization(), database, id));
  return (
    <Loaded query={query} what="The password could not be read." rows={1}>
      {({ data }) => <Password text={data.password} />}
    </Loaded>
  );
}

const Password = ({ text }: { text: string }) => <CodeBlock label="Copy password">{text}</CodeBlock>;
