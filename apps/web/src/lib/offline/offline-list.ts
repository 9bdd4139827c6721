import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { SearchBodyInput, SearchResult } from '@postil/contract/search.ts'
import type { OutboxLine } from '#lib/outbox/types.ts'

type Terms = { readonly entity: string; readonly property?: string | null }

const valuesOf = (filter: unknown, { entity, property }: Terms): readonly unknown[] | null => {
  const { type, scope, values } = filter as { type?: unknown; scope?: Terms & { question?: unknown }; values?: unknown }
  const isIt = type === 'terms' && scope?.entity === entity && scope.property === property && scope.question == null
  return isIt && Array.isArray(values) ? values : null
}

/** Returns the answer status that a search filters by, or null if the search has any other condition. */
export const requestedStatus = ({ query, filters, sort }: SearchBodyInput): RecordFilterStatus | null => {
  if (query || sort) return null
  const [ofResponse, ...others] = filters?.and ?? []
  const requested = valuesOf(ofResponse ?? {}, { entity: 'response', property: 'status' })
  // Only pending records were saved on this device. A filter for pending records therefore changes nothing, but no other filter
  // can be answered.
  const isAll = others.every((filter) => valuesOf(filter, { entity: 'record', property: 'status' })?.join() === 'pending')
  return requested?.length === 1 && isAll ? (requested[0] as RecordFilterStatus) : null
}

/** Returns a record's answer as it will be on the server once the unsent changes are sent. Rejected changes are left out. */
const answerOnceSent = (record: AnnotationRecord, line: OutboxLine): Response | null => {
  const [standing = null] = record.responses ?? []
  const last = line.entries.at(-1)
  if (line.issue?.kind === 'rejected' || last === undefined) return standing
  const { change, made_at } = last
  if (change.kind === 'remove') return null
  const time = new Date(made_at).toISOString()
  return {
    id: record.id,
    record_id: record.id,
    user_id: line.user_id,
    inserted_at: time,
    ...standing,
    updated_at: time,
    status: change.status,
    values: change.values,
    suggestion_outcomes: change.suggestion_outcomes ?? null,
    returned: change.status === 'draft' ? (standing?.returned ?? null) : null,
    // Null if the server has no answer yet. The next change is then sent without a base version, as the server expects.
    version: standing?.version ?? (null as unknown as number),
  }
}

const statusOf = (answer: Response | null | undefined): RecordFilterStatus => answer?.status ?? 'pending'

/**
 * A record in a list: its current state on the server (`now`), and its state once the unsent answer is sent. `isIn`: whether the
 * record is in the list on the server now.
 */
type ListedRecord = { readonly now: AnnotationRecord; readonly onceSent: AnnotationRecord; readonly isIn: boolean }

/**
 * Returns the records on this device that belong to one of the server's lists. A record belongs to the list if it is there now or
 * will be once its unsent answer is sent. Records that will leave the list are included, because the page that shows the list
 * accounts for their unsent answers.
 */
export const listRecords = (
  records: readonly AnnotationRecord[],
  lines: ReadonlyMap<string, OutboxLine>,
  status: RecordFilterStatus,
): readonly ListedRecord[] =>
  records.flatMap((record): ListedRecord[] => {
    if (statusOf(record.responses?.[0]) === status) return [{ now: record, onceSent: record, isIn: true }]
    const line = lines.get(record.id)
    const answer = line && answerOnceSent(record, line)
    if (!line || statusOf(answer) !== status) return []
    return [{ now: record, onceSent: { ...record, responses: answer ? [answer] : [] }, isIn: false }]
  })

export type Page = { readonly offset?: unknown; readonly limit?: unknown }

/**
 * Returns a page of the list in the format of a search response.
 * - If the list fits on one page, the records are returned as they are on the server. The caller applies the unsent answers.
 * - Otherwise, the records are returned as they will be once the unsent answers are sent. The total counts the records in the
 *   same way, so it fits the offset of the next page.
 */
export const pageResult = (listed: readonly ListedRecord[], { offset, limit }: Page): SearchResult => {
  const from = Number(offset ?? 0)
  const to = from + Number(limit ?? listed.length)
  const isOnePage = from === 0 && listed.length < to
  const items = listed.slice(from, to).map(({ now, onceSent }) => ({ record: isOnePage ? now : onceSent, query_score: null }))
  return { items, total: isOnePage ? listed.filter(({ isIn }) => isIn).length : listed.length }
}
