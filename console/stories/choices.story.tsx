import { ComboBox } from "../src/ui/combo-box.tsx";
import { Form } from "../src/ui/form.tsx";
import { Select } from "../src/ui/select.tsx";

const ignore = () => {};
const servers = [
  { id: 1, label: "shop-1", description: "62 GB and 5.1 GB of memory are free" },
  { id: 2, label: "shop-2", description: "8 GB and 0.9 GB of memory are free" },
  { id: 3, label: "old", disabledReason: "Its setup has not ended." },
];

export const states = {
  closed: () => (
    <Form onSubmit={ignore} aria-label="Choices">
      <Select label="Server" options={servers} defaultValue={1} />
      <Select label="Region" options={servers} placeholder="Choose a region" />
      <ComboBox label="Repository" options={servers} placeholder="Find a repository" />
      <ComboBox label="Branch" options={servers} defaultInputValue="ma" isLoading />
    </Form>
  ),
};
