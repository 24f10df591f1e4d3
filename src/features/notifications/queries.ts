import { type Db, rows, sql } from "../../db/sql.ts";
import type { Announcement } from "./schema.ts";

/** Where the jobs of one delivery or one channel look; see `actions.ts`. */
export interface QueuedDelivery {
  id: number;
  channel_id: number;
}

/** Records the announcement, and a delivery of it for each channel that listens; returns those. */
export const insertAnnouncement = (tx: Db, announcement: Announcement): Promise<QueuedDelivery[]> => {
  const { organizationId, topic, title, text, data } = announcement;
  const projectId = typeof data.project_id === "number" ? data.project_id : null;
  return rows(
    tx,
    sql`
      with announced as (
        insert into announcements (organization_id, topic, title, text, data, project_id)
        values (${organizationId}, ${topic}, ${title}, ${text}, ${JSON.stringify(data)}, ${projectId})
        returning id
      )
      insert into notification_deliveries (channel_id, announcement_id)
      select c.id, announced.id from notification_channels c, announced
      where c.organization_id = ${organizationId} and c.is_active and ${topic} = any(c.topics)
        and (c.project_ids is null or ${projectId}::bigint = any(c.project_ids))
      returning id, channel_id
    `,
  );
};
