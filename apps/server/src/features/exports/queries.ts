import { forbidden, notFound } from '@postil/contract/wire/errors.ts'
import { includeAll } from '@postil/contract/wire/query-lists.ts'
import { datasetFor } from '#features/datasets/public.ts'
import { firstBatch, fullView, isAgreementFilled, presentRecords, recordPolicy } from '#features/records/public.ts'
import { fieldRows, metadataPropertyRows, questionRows, vectorSettingsRows } from '#features/schema/public.ts'
import { recordsThen, type StoredSnapshot, snapshotNamed } from '#features/snapshots/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { ExportContext } from './context.ts'

type DatasetArgs = { readonly user: Actor; readonly dataset_id: string }

const datasetToRead = async (db: Db, { user, dataset_id }: DatasetArgs) => {
  const dataset = await datasetFor(db, dataset_id, user)
  if (!recordPolicy.list(user, dataset)) throw forbidden()
  return dataset
}

/**
 * The data that determines a file's columns and its first record.
 * @returns `afterSeq`: the `seq` of the record `after`, or 0 if `after` is omitted. @throws Problem not_found, forbidden
 */
export const exportContext = query(
  'files.context',
  async (
    db,
    args: DatasetArgs & { readonly after: string | undefined; readonly at?: string | undefined },
  ): Promise<ExportContext & { readonly afterSeq: number }> => {
    const dataset = await datasetToRead(db, args)
    const snapshot = args.at === undefined ? null : await snapshotFor(db, dataset.no, args.at)
    const [fields, questions, properties, vectors, agreementFilled, gold, comment, test, users, last] = await pipeline([
      fieldRows(db, dataset.id),
      questionRows(db, dataset.id),
      metadataPropertyRows(db, dataset.id),
      vectorSettingsRows(db, dataset.id),
      isAgreementFilled(db, dataset.no),
      db.sql.selectFrom('gold').select('seq').where('dataset_no', '=', dataset.no).limit(1).executeTakeFirst(),
      db.sql.selectFrom('comments').select('seq').where('dataset_no', '=', dataset.no).limit(1).executeTakeFirst(),
      db.sql.selectFrom('test_items').select('seq').where('dataset_no', '=', dataset.no).limit(1).executeTakeFirst(),
      db.sql.selectFrom('users').select(['id', 'username']).execute(),
      args.after === undefined
        ? null
        : db.sql
            .selectFrom('records')
            .select('seq')
            .where('dataset_no', '=', dataset.no)
            .where('id', '=', args.after)
            .executeTakeFirst(),
    ])
    if (args.after !== undefined && !last) throw notFound('Record', args.after)
    return {
      dataset: { id: dataset.id, name: dataset.name, allow_extra_metadata: dataset.allow_extra_metadata },
      fields,
      questions,
      properties,
      vectors,
      agreementFilled,
      hasGold: gold !== undefined,
      hasComments: comment !== undefined,
      hasTests: test !== undefined,
      usernames: new Map(users.map(({ id, username }) => [id, username])),
      afterSeq: last?.seq ?? 0,
      ...(snapshot === null ? { isSnapshot: false } : contentThen(dataset, snapshot)),
    }
  },
)

/** @throws Problem not_found */
const snapshotFor = async (db: Db, datasetNo: number, at: string): Promise<StoredSnapshot> => {
  const snapshot = await snapshotNamed(db, datasetNo, at)
  if (snapshot === null) throw notFound('Snapshot', at)
  return snapshot
}

/**
 * Returns the parts of the export context that differ for a snapshot. Snapshots contain no vectors, agreement, comments or test
 * items, so these parts are empty or false.
 */
const contentThen = ({ id, name }: { readonly id: string; readonly name: string }, { content }: StoredSnapshot) => {
  const { fields, questions, properties, allow_extra_metadata } = content
  return {
    isSnapshot: true,
    dataset: { id, name, allow_extra_metadata },
    ...{ fields, questions, properties },
    vectors: [],
    agreementFilled: false,
    hasComments: false,
    hasTests: false,
  }
}

/**
 * The records after a `seq` as they were at the time of a snapshot, as JSON, in insertion order. Reads as many as fit into one
 * batch. @throws Problem not_found, forbidden
 */
export const recordsOfSnapshot = query(
  'files.records-then',
  async (db, args: DatasetArgs & { readonly seq: number; readonly limit: number; readonly at: string }): Promise<Page> => {
    const dataset = await datasetToRead(db, args)
    const snapshot = await snapshotFor(db, dataset.no, args.at)
    const { records, lastSeq } = await recordsThen(db, { dataset, snapshot, after: args.seq, limit: args.limit })
    return { records: records.map((record) => JSON.stringify(record)), lastSeq }
  },
)

type Page = { readonly records: readonly string[]; readonly lastSeq: number | null }

const everything = { include: { ...includeAll, agreement: true, gold: true, comments: true, tests: true }, viewer: fullView }

/**
 * The records after a `seq`, as JSON, in insertion order. Reads as many as fit into one batch. @throws Problem not_found,
 * forbidden
 */
export const recordsAfter = query(
  'files.records-after',
  async (db, args: DatasetArgs & { readonly seq: number; readonly limit: number }): Promise<Page> => {
    const dataset = await datasetToRead(db, args)
    const rows = await db.sql
      .selectFrom('records')
      .select('seq')
      .where('dataset_no', '=', dataset.no)
      .where('seq', '>', args.seq)
      .orderBy('seq')
      .limit(args.limit)
      .execute()
    const after = rows.map(({ seq }) => seq)
    const seqs = await firstBatch(db, dataset, after, everything)
    const presented = await presentRecords(db, dataset, seqs, everything)
    return { records: presented.map(({ text }) => text), lastSeq: seqs.at(-1) ?? null }
  },
)

/**
 * The records with the given `seqs`, as JSON. Reads as many as fit into one batch. Deleted records are left out.
 * @returns `count`: how many of the `seqs` were read. @throws Problem not_found, forbidden
 */
export const recordsAt = query(
  'files.records-at',
  async (
    db,
    args: DatasetArgs & { readonly seqs: readonly number[] },
  ): Promise<{ records: readonly string[]; count: number }> => {
    const dataset = await datasetToRead(db, args)
    const seqs = await firstBatch(db, dataset, args.seqs, everything)
    const presented = await presentRecords(db, dataset, seqs, { ...everything, exact: true })
    return { records: presented.map(({ text }) => text), count: seqs.length }
  },
)
