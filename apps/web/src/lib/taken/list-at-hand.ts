import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { SearchBodyInput, SearchResult } from '@postil/contract/search.ts'
import type { Line } from '#lib/outbox/types.ts'
import type { RecordFilterStatus } from '#lib/url/grammar.ts'

type Terms = { readonly entity: string; readonly property?: string | null }

const valuesOf = (filter: unknown, { entity, property }: Terms): readonly unknown[] | null => {
  const { type, scope, values } = filter as { type?: unknown; scope?: Terms & { question?: unknown }; values?: unknown }
  const isIt = type === 'terms' && scope?.entity === entity && scope.property === property && scope.question == null
  return isIt && Array.isArray(values) ? values : null
}

/** The status whose records a search asks for; null where it asks for more than that. */
export const statusAskedFor = ({ query, filters, sort }: SearchBodyInput): RecordFilterStatus | null => {
  if (query || sort) return null
  const [ofResponse, ...others] = filters?.and ?? []
  const asked = valuesOf(ofResponse ?? {}, { entity: 'response', property: 'status' })
  // Records that are complete were not taken along.
  const isAll = others.every((filter) => valuesOf(filter, { entity: 'record', property: 'status' })?.join() === 'pending')
  return asked?.length === 1 && isAll ? (asked[0] as RecordFilterStatus) : null
}

/** The answer to a record as the server will have it; what it has refused it will not. */
const answerAfter = (record: AnnotationRecord, line: Line): Response | null => {
  const [standing = null] = record.responses ?? []
  const last = line.entries.at(-1)
  if (line.trouble?.kind === 'refused' || last === undefined) return standing
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
    // NOTE: without one, what is answered next is built upon no answer, as it has to be while the server has none
    version: standing?.version ?? (null as unknown as number),
  }
}

const statusOf = (answer: Response | null | undefined): RecordFilterStatus => answer?.status ?? 'pending'

/** A record of a list: as the server has it, and as it will have it once it has the answer that waits here. */
export type Listed = { readonly now: AnnotationRecord; readonly later: AnnotationRecord; readonly isIn: boolean }

/**
 * The records on this device that are in a list of the server's, or will be once it has the answers that wait here. Those that will leave
 * it are among them: whoever shows the list knows of their answers.
 */
export const listOf = (
  records: readonly AnnotationRecord[],
  lines: ReadonlyMap<string, Line>,
  status: RecordFilterStatus,
): readonly Listed[] =>
  records.flatMap((record): Listed[] => {
    if (statusOf(record.responses?.[0]) === status) return [{ now: record, later: record, isIn: true }]
    const line = lines.get(record.id)
    const answer = line && answerAfter(record, line)
    if (!line || statusOf(answer) !== status) return []
    return [{ now: record, later: { ...record, responses: answer ? [answer] : [] }, isIn: false }]
  })

export type Page = { readonly offset?: unknown; readonly limit?: unknown }

/**
 * A page of them, as the server answers a search. On one page it is what the server has now, and whoever shows it counts what waits here;
 * over several it is what the server will have: places in the list, by which the next page is asked for, are of what is counted.
 */
export const pageOf = (listed: readonly Listed[], { offset, limit }: Page): SearchResult => {
  const from = Number(offset ?? 0)
  const to = from + Number(limit ?? listed.length)
  const isOnePage = from === 0 && listed.length < to
  const items = listed.slice(from, to).map(({ now, later }) => ({ record: isOnePage ? now : later, query_score: null }))
  return { items, total: isOnePage ? listed.filter(({ isIn }) => isIn).length : listed.length }
}
