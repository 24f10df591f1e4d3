import type { ReactNode } from "react";
import { redirect } from "react-router";
import type { Account } from "../../../../contract/types.ts";
import { fieldsOf } from "../../api/errors.ts";
import { cache } from "../../data/cache.ts";
import { me } from "../../data/me.ts";
import { session, setupState, useEnter, useSignOut } from "../../data/session.ts";
import { useWrite } from "../../data/write.ts";
import { AccessFrame } from "../../parts/access-frame.tsx";
import { textsOf } from "../../parts/form-text.ts";
import { Submit } from "../../parts/submit.tsx";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** `/`: leads to where one can begin. */
export async function loader() {
  const current = await cache.fetchQuery({ ...session(), staleTime: 0 });
  if (!current) {
    const { data } = await cache.fetchQuery({ ...setupState(), staleTime: 0 });
    return redirect(data.needed ? paths.setup() : paths.signIn());
  }
  const organization = organizationOf((await cache.fetchQuery({ ...me(null), staleTime: 0 })).data);
  return organization === undefined ? null : redirect(paths.overview(organization));
}

const organizationOf = ({ current_organization_id: current, organizations: [first] }: Account): number | undefined =>
  current ?? first?.id;

/** For an account that is in no organization. */
export function Component(): ReactNode {
  const enter = useEnter();
  const signOut = useSignOut();
  const create = useWrite("POST /api/v1/organizations", { onDone: ({ data }) => enter(paths.overview(data.id)) });
  return (
    <AccessFrame
      title="Create an organization"
      lead="You are in none. Servers and projects belong to one: create yours, or open the link of an invitation."
    >
      <Form onSubmit={(values) => create.mutate({ body: textsOf(values, "name") })} errors={fieldsOf(create.error)}>
        <TextField label="Name" name="name" autoComplete="organization" isRequired maxLength={100} autoFocus />
        <Submit wide isPending={create.isPending} error={create.error}>
          Create organization
        </Submit>
      </Form>
      <Button kind="quiet" className="self-start" onPress={() => signOut.mutate()} isPending={signOut.isPending}>
        Sign out
      </Button>
    </AccessFrame>
  );
}
