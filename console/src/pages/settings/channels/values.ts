import type { ChannelType, Topic } from "../../../data/channels.ts";

/** What a form holds; the target and the token are as they were typed. */
export interface ChannelValues {
  name: string;
  type: ChannelType;
  target: string;
  bot_token: string;
  on: readonly Topic[];
  project_ids: readonly number[] | null;
}
