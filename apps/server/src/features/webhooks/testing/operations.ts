import { command, query } from '#platform/db/operations.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'

/** All operations of the application. The operations below are only for tests. */
import '#operations.ts'

/** Emits `count` webhook events about dataset changes: either all about one dataset, or each about a different dataset. */
export const emitMany = command(
  'test.webhook-events',
  async (db, { subject_id, count }: { subject_id?: string; count: number }) => {
    const outbox = await openOutbox(db)
    const ids = Array.from({ length: count }, () => subject_id ?? newId())
    await outbox.emit(
      1,
      ids.map((id, i) => ({
        event: 'dataset.updated' as const,
        subject_id: id,
        at: now(),
        data: { id, number: i },
      })),
    )
  },
)

export const rowsOfWebhook = query('test.webhook-rows', async (db, { webhook_id }: { webhook_id: string }): Promise<number> => {
  const rows = await db.sql.selectFrom('outbox').selectAll().execute()
  return rows.filter((row) => row.webhook_id === webhook_id).length
})
