import type { WebhookEvent } from '@postil/contract/webhooks.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, wallClock } from '#platform/time.ts'

export type EventName = WebhookEvent

export type EventData = { readonly [key: string]: unknown }

type OutgoingEvent = {
  readonly event: EventName
  /**
   * Events with the same subject are delivered in order. A record's ID is the subject of events for the record and its
   * responses.
   */
  readonly subject_id: string
  readonly at: Micros
  /** The message's `data`, built by `payloads.ts`. */
  readonly data: EventData
}

type Outbox = {
  /**
   * False if no enabled webhook subscribes to any of the events. In that case, the caller doesn't need to build the events' data.
   */
  readonly isSubscribed: (...events: readonly EventName[]) => boolean
  /** Writes the events of a dataset, in order, for every enabled webhook that subscribes to them. */
  readonly emit: (datasetNo: number, events: readonly OutgoingEvent[]) => Promise<void>
}

/**
 * An event's row for one webhook. The time at which the row becomes due comes from the machine's clock. The writing process's own
 * clock can be ahead after a bulk write. If the time came from that clock, the process that delivers the event would have to
 * wait.
 */
export const outboxRow = (webhookId: string, datasetNo: number, { event, subject_id, at, data }: OutgoingEvent) => ({
  id: newDatasetId(datasetNo),
  webhook_id: webhookId,
  dataset_no: datasetNo,
  subject_id,
  event,
  at,
  payload: json(data),
  state: 'waiting' as const,
  attempts: 0,
  available_at: wallClock(),
})

/**
 * Opens the outbox inside a command. Emitted events become visible with the command's commit or not at all. Reads the enabled
 * webhooks once.
 */
export const openOutbox = async (db: Db): Promise<Outbox> => {
  const webhooks = await db.sql
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('enabled', '=', true)
    .orderBy('id')
    .execute()
  const wanted = new Set(webhooks.flatMap(({ events }) => events))
  return {
    isSubscribed: (...events) => events.some((event) => wanted.has(event)),
    emit: async (datasetNo, events) => {
      const rows = events.flatMap((outgoing) =>
        webhooks
          .filter((webhook) => webhook.events.includes(outgoing.event))
          .map((webhook) => outboxRow(webhook.id, datasetNo, outgoing)),
      )
      await db.dialect.insertMany(db.sql, 'outbox', rows)
    },
  }
}
