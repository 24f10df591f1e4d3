import type { Topic } from "../../../data/channels.ts";
import { CheckboxAreas } from "../../../parts/checkbox-areas.tsx";
import { topicAreas } from "./topics.ts";

interface Props {
  value: readonly Topic[];
  onChange: (value: Topic[]) => void;
}

/** What a channel receives. */
export const TopicFields = ({ value, onChange }: Props) => (
  <fieldset className="flex flex-col gap-1.5">
    <legend className="mb-1.5 font-medium">Notifies of</legend>
    <CheckboxAreas areas={topicAreas} value={value} onChange={onChange} />
  </fieldset>
);
