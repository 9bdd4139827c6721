import type { History, HistoryChange } from '@postil/contract/history.ts'
import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { type Selectable, sql } from 'kysely'
import { printGold, type StoredGold, type Usernames, usernamesOf, usersIn } from '#features/gold/public.ts'
import { recordScope, type ScopeDataset, type ScopeRecord } from '#features/records/public.ts'
import { printResponse, responsesOfRecords, type StoredResponse } from '#features/responses/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { Tables } from '#platform/db/tables.ts'
import { printTime } from '#platform/time.ts'
import { historyPolicy } from './policy.ts'

type OfRecord = { readonly user: Actor; readonly record_id: string }
type HistoryScope = { readonly dataset: ScopeDataset; readonly record: ScopeRecord; readonly own: string | null }

/**
 * Returns the record and its dataset. `own` is the only user whose answers the caller may see, or null if the caller may see all
 * answers. @throws Problem not_found, forbidden
 */
const historyScope = async (db: Db, { user, record_id }: OfRecord): Promise<HistoryScope> => {
  const { dataset, record } = await recordScope(db, record_id, user, { hold: false })
  if (!historyPolicy.get(user, dataset)) throw forbidden()
  return { dataset, record, own: historyPolicy.seeAll(user, dataset) ? null : user.id }
}

/** IDs of all answers that a user ever gave to the record, including deleted answers. */
const answersOf = async (db: Db, { dataset, record }: HistoryScope, userId: string): Promise<readonly string[]> => {
  const answerIds = (table: 'responses' | 'response_tombstones') =>
    db.sql
      .selectFrom(table)
      .select('id')
      .where('dataset_no', '=', dataset.no)
      .where('seq', '=', record.seq)
      .where('user_id', '=', userId)
  const rows = await answerIds('responses').unionAll(answerIds('response_tombstones')).execute()
  return rows.map(({ id }) => id)
}

// Leaves out changes that users don't see. Earlier labels of suggestions are stored only to revert label changes. Earlier answers
// to test items are stored only for repeated requests, undo and label reverts.
const selectChanges = (db: Db, { dataset, record }: HistoryScope) =>
  db.sql
    .selectFrom('history')
    .where('dataset_no', '=', dataset.no)
    .where('seq', '=', record.seq)
    .where('subject', 'not in', ['suggestion', 'test'])

const changesOf = async (db: Db, seen: HistoryScope) => {
  const all = selectChanges(db, seen)
  if (seen.own === null) return { changes: all }
  const ids = await answersOf(db, seen, seen.own)
  // An empty list is invalid SQL on PostgreSQL, so the list contains the record's ID, which no answer has
  return {
    changes: all.where('subject', '=', 'response').where('subject_id', 'in', ids.length === 0 ? [seen.record.id] : ids),
  }
}

type ChangeRow = Omit<Selectable<Tables['history']>, 'dataset_no' | 'seq'>
const columns = ['id', 'subject', 'subject_id', 'action', 'user_id', 'at', 'image'] as const

type RecordImage = Extract<HistoryChange, { subject: 'record' }>['before']

const printChange = ({ id, subject, action, user_id, at, image }: ChangeRow, names: Usernames): HistoryChange => {
  const { schema_version } = image as { readonly schema_version?: number }
  const change = { id, action, at: printTime(at), by: user_id, ...(schema_version !== undefined && { schema_version }) }
  // `image` is an earlier version of a row of the kind `subject`, so it has the keys of such a row.
  if (subject === 'response') return { ...change, subject, before: printResponse(image as unknown as StoredResponse) }
  if (subject === 'gold') return { ...change, subject, before: printGold(image as unknown as StoredGold, names) }
  const { external_id, fields, metadata, updated_at } = image as unknown as RecordImage
  return { ...change, subject: 'record', before: { external_id, fields, metadata, updated_at } }
}

/** The usernames in earlier final answers. */
const namesIn = (db: Db, rows: readonly ChangeRow[]): Promise<Usernames> =>
  usernamesOf(
    db,
    rows.flatMap(({ subject, image }) => (subject === 'gold' ? usersIn(image as unknown as StoredGold) : [])),
  )

const usersOf = async (db: Db, { items, current }: Pick<History, 'items' | 'current'>): Promise<History['users']> => {
  const ids = new Set<string>(current.map((answer) => answer.user_id))
  for (const change of items) {
    if (change.by !== null) ids.add(change.by)
    if (change.subject === 'response') ids.add(change.before.user_id)
  }
  if (ids.size === 0) return []
  return db.sql
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', 'in', [...ids])
    .orderBy('username')
    .execute()
}

type Page = { readonly offset: number; readonly limit: number }

/**
 * Maximum size in bytes of a page of changes together with the current answers, unless a single change is larger. Lower than the
 * limit for pages of records, because a page of changes is converted to JSON in one go, and other requests wait during that time.
 */
const PAGE_BYTES = 1_000_000

/** The size of the current answers in bytes. */
const currentBytes = async (db: Db, { dataset, record, own }: HistoryScope): Promise<number> => {
  const answers = db.sql
    .selectFrom('responses')
    .select(sql<number | null>`sum(octet_length("values"))`.as('bytes'))
    .where('dataset_no', '=', dataset.no)
    .where('seq', '=', record.seq)
  const row = await (own === null ? answers : answers.where('user_id', '=', own)).executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

/** How many of the changes fit into one page together with the current answers; at least one. */
const fitting = (sizes: readonly number[], current: number): number => {
  let sum = current
  const found = sizes.findIndex((size) => {
    sum += size
    return sum > PAGE_BYTES
  })
  return found === -1 ? sizes.length : Math.max(1, found)
}

/**
 * A page of the changes, newest first, and the current answers. A page has fewer changes than requested if the changes are
 * large.
 * @param quick whether to return null instead of a page that is larger than `PAGE_BYTES`
 * @throws Problem not_found, forbidden
 */
export const getHistory = query(
  'history.get',
  async (db, { offset, limit, quick, ...of }: OfRecord & Page & { readonly quick: boolean }): Promise<History | null> => {
    const seen = await historyScope(db, of)
    const { dataset, record, own } = seen
    const { changes } = await changesOf(db, seen)
    const page = changes.orderBy('at', 'desc').orderBy('id', 'desc').offset(offset)
    const [{ total }, sizes, current] = await pipeline([
      changes.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
      page.select(sql<number>`octet_length(image)`.as('bytes')).limit(limit).execute(),
      currentBytes(db, seen),
    ])
    const bytes = sizes.map((row) => Number(row.bytes))
    if (quick && bytes.reduce((sum, one) => sum + one, current) > PAGE_BYTES) return null
    const rows = await page.select(columns).limit(fitting(bytes, current)).execute()
    const answers = await responsesOfRecords(db, dataset.no, [record.seq], own ?? undefined)
    const names = await namesIn(db, rows)
    const shown = {
      items: rows.map((row) => printChange(row, names)),
      current: (answers.get(record.seq) ?? []).map(printResponse),
    }
    return { ...shown, total, users: await usersOf(db, shown) }
  },
)

/** A single change. @throws Problem not_found, forbidden for a change that the caller may not see */
export const getChange = query(
  'history.change',
  async (db, { change_id, ...of }: OfRecord & { readonly change_id: string }): Promise<HistoryChange> => {
    const seen = await historyScope(db, of)
    const row = await selectChanges(db, seen).select(columns).where('id', '=', change_id).executeTakeFirst()
    if (row === undefined) throw notFound('Change', change_id)
    const { own } = seen
    if (own !== null && !(row.subject === 'response' && (await answersOf(db, seen, own)).includes(row.subject_id)))
      throw forbidden()
    return printChange(row, await namesIn(db, [row]))
  },
)
