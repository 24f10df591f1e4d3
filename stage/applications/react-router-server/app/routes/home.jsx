import { appendFile, readFile } from "node:fs/promises";
import { Form, useLoaderData } from "react-router";

const notes = "data/notes.txt";

export const loader = () => readFile(notes, "utf8").catch(() => "");

export async function action({ request }) {
  const form = await request.formData();
  await appendFile(notes, `${form.get("note")}\n`);
  return null;
}

export default function Home() {
  return (
    <main>
      <h1>release-1</h1>
      <pre>{useLoaderData()}</pre>
      <Form method="post">
        <input name="note" />
      </Form>
    </main>
  );
}
