import { Button } from "../src/ui/button.tsx";
import { Checkbox } from "../src/ui/checkbox.tsx";
import { Form, FormActions } from "../src/ui/form.tsx";
import { RadioGroup } from "../src/ui/radio-group.tsx";
import { Switch } from "../src/ui/switch.tsx";
import { TextArea } from "../src/ui/text-area.tsx";
import { TextField } from "../src/ui/text-field.tsx";

const ignore = () => {};

export const states = {
  fields: () => (
    <Form onSubmit={ignore} aria-label="New project">
      <TextField label="Name" name="name" defaultValue="Shop" isRequired />
      <TextField
        label="Domain"
        name="domain"
        placeholder="shop.example.com"
        description="Its DNS record is checked while you type."
      />
      <TextField label="Directory" name="directory" mono before="/" defaultValue="apps/web" />
      <TextField label="Memory" name="memory_mb" after="MB" defaultValue="512" />
      <TextField label="Branch" name="branch" isDisabled defaultValue="main" />
      <TextArea
        label="Environment"
        name="environment"
        mono
        defaultValue={"APP_ENV=production\nAPP_URL=https://shop.example.com"}
      />
      <FormActions>
        <Button type="submit" kind="primary">
          Save
        </Button>
        <Button kind="quiet">Cancel</Button>
      </FormActions>
    </Form>
  ),
  "errors of the API": () => (
    <Form
      onSubmit={ignore}
      aria-label="New project, refused"
      errors={{
        name: "Another project has this name.",
        "source.branch": "The repository has no branch “mian”.",
        target: "The target must be email addresses; someone is not one.",
        is_bound: "The server shop-1 accepts no projects: its setup has not ended.",
      }}
    >
      <TextField label="Name" name="name" defaultValue="Shop" />
      <TextField label="Branch" name="source.branch" mono defaultValue="mian" />
      <TextField label="Addresses" name="target" defaultValue="someone" />
      <Checkbox name="is_bound">Only here</Checkbox>
      <FormActions refusal="This stands at the fields already.">
        <Button type="submit" kind="primary">
          Save
        </Button>
      </FormActions>
    </Form>
  ),
  choices: () => (
    <Form onSubmit={ignore} aria-label="Choices">
      <RadioGroup
        label="What to do at a push"
        defaultValue="deploy"
        options={[
          { value: "deploy", label: "Deploy", description: "At once, or after the deployment that is running." },
          { value: "ask", label: "Wait for a press" },
          { value: "checks", label: "Deploy after checks", disabledReason: "The git host reports no checks." },
        ]}
      />
      <div className="flex flex-col gap-1">
        <Checkbox defaultSelected description="At most twelve a day.">
          Mail me
        </Checkbox>
        <Checkbox isIndeterminate>All projects</Checkbox>
        <Checkbox>Failed deployments only</Checkbox>
        <Checkbox isDisabled>Weekly report</Checkbox>
      </div>
      <div className="flex flex-col gap-2">
        <Switch defaultSelected>Maintenance</Switch>
        <Switch description="Visitors see the page of your choice.">Own page</Switch>
      </div>
    </Form>
  ),
};
