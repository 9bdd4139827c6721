import type { CopiedPart } from '@postil/contract/copied-rows.ts'
import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { type RawBuilder, sql } from 'kysely'
import { datasetFor } from '#features/datasets/public.ts'
import { viewAt } from '#features/saved-views/public.ts'
import { questionRows } from '#features/schema/public.ts'
import { checksOf, testColumns } from '#features/test-items/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { migrationPolicy } from './policy.ts'

type Row = { readonly [column: string]: unknown }

type Source = { readonly table: string; readonly columns: readonly string[]; readonly order: readonly string[] }

const times = ['inserted_at', 'updated_at']
const sources: { readonly [part in Exclude<CopiedPart, 'review'>]: Source } = {
  records: { table: 'records', columns: ['seq', 'id'], order: ['seq'] },
  versions: {
    table: 'schema_versions',
    columns: ['no', 'at', 'user_id', 'note', 'changes', 'snapshot'],
    order: ['no'],
  },
  seen_versions: { table: 'seen_versions', columns: ['user_id', 'version_no'], order: ['user_id'] },
  gold: {
    table: 'gold',
    columns: ['seq', 'record_id', 'values', 'final', 'stale', 'basis', 'version', 'last_mutation_id', 'user_id', ...times],
    order: ['seq'],
  },
  comments: {
    table: 'comments',
    columns: [
      ...['seq', 'id', 'record_id', 'parent', 'user_id', 'text', 'deleted', 'about', 'mentions'],
      ...['resolved_by', 'resolved_at', 'edited_at', 'inserted_at'],
    ],
    order: ['seq', 'id'],
  },
  test_items: {
    table: 'test_items',
    columns: ['seq', ...testColumns],
    order: ['seq', 'user_id'],
  },
  test_people: { table: 'test_people', columns: ['user_id', 'handed_out', 'continued_at'], order: ['user_id'] },
  history: {
    table: 'history',
    columns: ['seq', 'id', 'subject', 'subject_id', 'action', 'user_id', 'at', 'image'],
    order: ['seq', 'id'],
  },
  snapshots: { table: 'snapshots', columns: ['id', 'name', 'at', 'user_id', 'next_seq', 'content'], order: ['id'] },
}

/** Reads the values that a cursor contains. @throws Problem unprocessable */
const positionIn = (after: string, { order }: Source): readonly (string | number)[] => {
  const values = after.split(' ')
  const isValid =
    values.length === order.length &&
    order.every((column, i) =>
      column.endsWith('id') ? /^[0-9a-f-]{36}$/.test(values[i] ?? '') : /^\d{1,15}$/.test(values[i] ?? ''),
    )
  if (!isValid) throw unprocessable("'after' must be the 'next' of an earlier response")
  return values.map((value, i) => (order[i]?.endsWith('id') === true ? value : Number(value)))
}

const rowsAfter = async (db: Db, no: number, source: Source, after: string | undefined, limit: number): Promise<Row[]> => {
  const { table, columns, order } = source
  const listed = (names: readonly string[]): RawBuilder<unknown> => sql.join(names.map((name) => sql.ref(name)))
  const isLater = after === undefined ? sql`true` : sql`(${listed(order)}) > (${sql.join(positionIn(after, source))})`
  const { rows } = await sql<Row>`select ${listed(columns)} from ${sql.table(table)}
    where dataset_no = ${no} and ${isLater} order by ${listed(order)} limit ${limit}`.execute(db.sql)
  return rows
}

/** Adds to each comment the IDs of the users whose lists of mentions contain the comment. */
const withListings = async (db: Db, no: number, comments: readonly Row[]): Promise<Row[]> => {
  if (comments.length === 0) return []
  const mentions = await db.sql
    .selectFrom('mentions')
    .select(['comment_id', 'user_id'])
    .where('dataset_no', '=', no)
    .where(
      'comment_id',
      'in',
      comments.map(({ id }) => String(id)),
    )
    .execute()
  const byComment = Map.groupBy(mentions, ({ comment_id }) => comment_id)
  return comments.map((comment) => ({
    ...comment,
    listed_for: (byComment.get(String(comment['id'])) ?? []).map(({ user_id }) => user_id),
  }))
}

/**
 * Adds the ID of each change's record. Adds the question's ID to earlier suggestions, because question numbers differ between
 * servers.
 */
const withIds = async (db: Db, { no, id }: { readonly no: number; readonly id: string }, changes: readonly Row[]) => {
  if (changes.length === 0) return []
  const records = await db.sql
    .selectFrom('records')
    .select(['seq', 'id'])
    .where('dataset_no', '=', no)
    .where('seq', 'in', db.dialect.listed([...new Set(changes.map(({ seq }) => Number(seq)))]))
    .execute()
  const recordIds = new Map(records.map((record) => [record.seq, record.id]))
  const questionIds = new Map((await questionRows(db, id)).map((question) => [question.no, question.id]))
  return changes.map(({ image, ...change }): Row => {
    const { question_no, ...rest } = image as { readonly question_no?: number }
    const shown =
      change['subject'] === 'suggestion' ? { ...rest, question_id: questionIds.get(question_no ?? -1) ?? null } : image
    return { ...change, record_id: recordIds.get(Number(change['seq'])) ?? null, image: shown }
  })
}

/** The view that selects the dataset's test items, or null. */
const usedView = async (db: Db, no: number, review: Row): Promise<Row | null> => {
  const id = checksOf({ review })?.view_id ?? null
  const view = id === null ? undefined : await viewAt(db, no, id)
  if (view === undefined) return null
  const { username: _, ...stored } = view
  return stored
}

type CopiedRowsArgs = {
  readonly user: Actor
  readonly dataset_id: string
  readonly part: CopiedPart
  readonly after?: string | undefined
  readonly limit: number
}

/**
 * Returns the next rows of one part of a dataset, as they are stored. @throws Problem not_found, forbidden, unprocessable for an
 * unknown position
 */
export const copiedRows = query(
  'transfer.rows',
  async (
    db,
    { user, dataset_id, part, after, limit }: CopiedRowsArgs,
  ): Promise<{ readonly items: { [column: string]: unknown }[]; readonly next: string | null }> => {
    const dataset = await datasetFor(db, dataset_id, user)
    if (!migrationPolicy.readRows(user)) throw forbidden()
    if (part === 'review') {
      const { review } = await db.sql
        .selectFrom('datasets')
        .select('review')
        .where('no', '=', dataset.no)
        .executeTakeFirstOrThrow()
      return { items: review === null ? [] : [{ review, view: await usedView(db, dataset.no, review) }], next: null }
    }
    const source = sources[part]
    const rows = await rowsAfter(db, dataset.no, source, after, limit)
    const last = rows.length < limit ? undefined : rows.at(-1)
    const next = last === undefined ? null : source.order.map((column) => String(last[column])).join(' ')
    if (part === 'comments') return { items: await withListings(db, dataset.no, rows), next }
    return { items: part === 'history' ? await withIds(db, dataset, rows) : rows, next }
  },
)
