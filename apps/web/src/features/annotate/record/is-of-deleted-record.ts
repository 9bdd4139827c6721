import type { OutboxLine } from '#lib/outbox/types.ts'

/** Whether an answer was rejected because its record was deleted. */
export const isOfDeletedRecord = (line: OutboxLine | undefined): line is OutboxLine =>
  line?.issue?.kind === 'rejected' && line.issue.status === 404
