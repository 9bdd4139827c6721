import { unprocessable } from '@postil/contract/wire/errors.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { lockDatasetChanges } from '#platform/db/locks.ts'
import { command, query } from '#platform/db/operations.ts'
import type { TableName } from '#platform/db/tables.ts'
import { TextDue } from '#platform/db/text/text-due.ts'
import { datasetNoOf, newDatasetId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { type AnswerChange, type AnswerOutcome, applyAnswers } from '../apply-answers.ts'
import { loadQuestions, lockRecords } from '../scope.ts'
import { loadAnswers } from '../stored-answers.ts'

/** All operations of the application. The operations below are only for tests. */
import '#operations.ts'
import { writeTally } from '../counters/counts.ts'
import { enqueueStatusRecount } from '../counters/statuses.ts'
import { Tally } from '../counters/tally.ts'
import { knownUsers, recordResponsesFault, type SentResponse } from '../many/sent-responses.ts'
import { removeResponsesOfRecords } from '../removal.ts'

type Fields = { readonly [name: string]: unknown }

/** Stores only the records' rows and counters. @returns the records' IDs, in order */
export const insertRecords = command(
  'test.insert-records',
  async (db, { dataset_id, records }: { dataset_id: string; records: readonly Fields[] }): Promise<string[]> => {
    const { no } = await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirstOrThrow()
    const { next_seq } = await db.sql
      .updateTable('dataset_state')
      .set((eb) => ({ next_seq: eb('next_seq', '+', records.length) }))
      .where('dataset_no', '=', no)
      .returning('next_seq')
      .executeTakeFirstOrThrow()
    const first = next_seq - records.length
    const rows = records.map((fields, i) => {
      const at = now()
      return {
        dataset_no: no,
        id: newDatasetId(no),
        seq: first + i,
        external_id: null,
        external_key: null,
        status: 'pending' as const,
        submitted: 0,
        shuffle: i,
        fields: json(fields),
        metadata: null,
        inserted_at: at,
        updated_at: at,
      }
    })
    await db.dialect.insertMany(db.sql, 'records', rows)
    await db.sql
      .insertInto('dataset_counts')
      .values({ dataset_no: no, slot: 0, kind: 'pending', n: rows.length })
      .onConflict((c) =>
        c.columns(['dataset_no', 'slot', 'kind']).doUpdateSet((eb) => ({ n: eb('dataset_counts.n', '+', rows.length) })),
      )
      .execute()
    return rows.map(({ id }) => id)
  },
)

/** Like a search, fails if some of the dataset's text isn't indexed yet. @throws TextDue in this case */
export const expectTexts = async (db: Db, dataset_no: number): Promise<void> => {
  const state = db.sql.selectFrom('dataset_state').select('text_due_from').where('dataset_no', '=', dataset_no)
  if (((await state.executeTakeFirst())?.text_due_from ?? null) !== null) throw new TextDue()
}

/** Returns all rows of a table. */
export const rowsOf = query(
  'test.rows',
  (db, { table }: { table: TableName }) =>
    db.sql
      .selectFrom(table as 'records')
      .selectAll()
      .execute() as Promise<{ [column: string]: unknown }[]>,
)

/** Inserts a webhook for the events, because these tests have no webhook route. */
export const insertWebhook = command(
  'test.insert-webhook',
  async (db, { id, events }: { id: string; events: readonly string[] }) => {
    const at = now()
    await db.sql
      .insertInto('webhooks')
      .values({
        id,
        url: 'http://127.0.0.1/',
        secret_sealed: '',
        events: json(events),
        enabled: true,
        description: null,
        inserted_at: at,
        updated_at: at,
      })
      .execute()
  },
)

/** Changes the distribution even though there are answers, and recomputes the statuses. No route allows this. */
export const forceDistribution = command(
  'test.force-distribution',
  async (db, { dataset_id, min_submitted }: { dataset_id: string; min_submitted: number }) => {
    const { no } = await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirstOrThrow()
    await lockDatasetChanges(db, no)
    await db.sql.updateTable('datasets').set({ min_submitted }).where('no', '=', no).execute()
    return enqueueStatusRecount(db, no)
  },
)

/** Deletes records and their answers, in the same way as a request to delete records. */
export const removeRecords = command(
  'test.remove-records',
  async (db, { ids, actor }: { ids: readonly string[]; actor: string }) => {
    const dataset_no = datasetNoOf(ids[0] ?? '')
    const dataset = await db.sql
      .selectFrom('datasets')
      .select(['no', 'min_submitted'])
      .where('no', '=', dataset_no)
      .executeTakeFirstOrThrow()
    const records = await db.dialect
      .forUpdate(
        db.sql
          .selectFrom('records')
          .select(['id', 'seq', 'status', 'submitted', 'extra_answers'])
          .where('dataset_no', '=', dataset_no)
          .where('id', 'in', ids)
          .orderBy('seq'),
      )
      .execute()
    await removeResponsesOfRecords(db, { dataset, records, actor })
    await db.sql.deleteFrom('records').where('dataset_no', '=', dataset_no).where('id', 'in', ids).execute()
    const tally = new Tally()
    for (const { status, extra_answers } of records) tally.addRecord(status, -1, extra_answers)
    await writeTally(db, dataset_no, actor, tally)
  },
)

/** Stores answers that were sent inside records. */
export const storeInside = command(
  'test.store-inside',
  async (
    db,
    {
      dataset_id,
      items,
      actor,
    }: { dataset_id: string; actor: string; items: readonly { id: string; responses: readonly SentResponse[] }[] },
  ) => {
    const dataset = await db.sql
      .selectFrom('datasets')
      .select(['id', 'no', 'min_submitted'])
      .where('id', '=', dataset_id)
      .executeTakeFirstOrThrow()
    const records = await db.dialect
      .forUpdate(
        db.sql
          .selectFrom('records')
          .select(['id', 'seq', 'status', 'submitted', 'extra_answers'])
          .where('dataset_no', '=', dataset.no)
          .where(
            'id',
            'in',
            items.map(({ id }) => id),
          )
          .orderBy('seq'),
      )
      .execute()
    const questions = await loadQuestions(db, dataset.no)
    const users = await knownUsers(
      db,
      items.flatMap(({ responses }) => responses.map(({ user_id }) => user_id)),
    )
    for (const [position, { responses }] of items.entries()) {
      const fault = recordResponsesFault(responses, questions, { fields: {}, metadata: null }, users)
      if (fault !== null) throw unprocessable(`Record at position ${position} is not valid because ${fault}`)
    }
    const { records: settled } = await applyAnswers(db, {
      dataset,
      questions,
      actor,
      changes: items.flatMap(({ id, responses }) => {
        const record = records.find((one) => one.id === id)
        return record === undefined ? [] : responses.map((sent) => ({ record, author: sent.user_id, after: sent }))
      }),
      stored: await loadAnswers(
        db,
        dataset.no,
        records.map(({ seq }) => seq),
      ),
      keepsEqual: true,
      activity: null,
    })
    return records.map(({ seq }) => settled.get(seq))
  },
)

/** A change to an answer. The record is given by its `seq`. */
export type TestChange = Omit<AnswerChange, 'record' | 'fields'> & { readonly seq: number }
type ApplyArgs = {
  readonly dataset_no: number
  readonly actor: string
  readonly keepsEqual: boolean
  readonly changes: readonly TestChange[]
}

/** Applies changes to answers as one list, with events. */
export const applyList = command(
  'test.apply-list',
  async (db, { dataset_no, actor, keepsEqual, changes }: ApplyArgs): Promise<readonly AnswerOutcome[]> => {
    const dataset = await db.sql
      .selectFrom('datasets')
      .select(['no', 'min_submitted'])
      .where('no', '=', dataset_no)
      .executeTakeFirstOrThrow()
    const seqs = [...new Set(changes.map(({ seq }) => seq))]
    const records = new Map(
      (await lockRecords(db, { no: dataset_no, userId: actor }, seqs)).map((record) => [record.seq, record]),
    )
    const { outcomes } = await applyAnswers(db, {
      dataset,
      questions: await loadQuestions(db, dataset_no),
      actor,
      changes: changes.flatMap(({ seq, ...change }) => {
        const record = records.get(seq)
        return record === undefined ? [] : [{ ...change, record, fields: {} }]
      }),
      stored: await loadAnswers(db, dataset_no, seqs),
      keepsEqual,
      activity: { hasWebhooks: true },
    })
    return outcomes
  },
)

/** Grants leases without checking the queue's conditions. */
export const insertLeases = command(
  'test.insert-leases',
  (db, { dataset_no, leases }: { dataset_no: number; leases: readonly { seq: number; user_id: string }[] }) =>
    db.dialect.insertMany(
      db.sql,
      'leases',
      leases.map((lease) => ({ dataset_no, ...lease, until: now() + 60_000_000 })),
    ),
)

/** Damages a dataset, bypassing all code that ensures consistency. */
export const damage = command(
  'test.damage',
  async (
    db,
    {
      dataset_no,
      what,
    }: { dataset_no: number; what: 'status' | 'submitted' | 'counter' | 'user' | 'term' | 'author' | 'agreement' },
  ) => {
    if (what === 'status')
      await db.sql.updateTable('records').set({ status: 'completed' }).where('dataset_no', '=', dataset_no).execute()
    if (what === 'submitted')
      await db.sql.updateTable('records').set({ submitted: 0 }).where('dataset_no', '=', dataset_no).execute()
    if (what === 'counter') {
      await db.sql
        .updateTable('dataset_counts')
        .set((eb) => ({ n: eb('n', '+', 1) }))
        .where('dataset_no', '=', dataset_no)
        .execute()
    }
    if (what === 'user') await db.sql.deleteFrom('user_counts').where('dataset_no', '=', dataset_no).execute()
    if (what === 'term') await db.sql.deleteFrom('response_terms').where('dataset_no', '=', dataset_no).execute()
    if (what === 'agreement') await db.sql.deleteFrom('agreement_numbers').where('dataset_no', '=', dataset_no).execute()
    if (what === 'author') await db.sql.deleteFrom('dataset_users').where('dataset_no', '=', dataset_no).execute()
  },
)

/** Makes a dataset look as if it had just been upgraded from a version without agreement on records. */
export const forgetAgreement = command('test.forget-agreement', async (db, { dataset_no }: { dataset_no: number }) => {
  await db.sql.deleteFrom('agreement_numbers').where('dataset_no', '=', dataset_no).execute()
  await db.sql.updateTable('dataset_state').set({ agreement_filled_to: 0 }).where('dataset_no', '=', dataset_no).execute()
})

/** Returns the records that contain a token, as a `seqList`. */
export const hitsOf = async (db: Db, dataset_no: number, token: string): Promise<string> => {
  await expectTexts(db, dataset_no)
  return db.dialect.text.hits(db.sql, dataset_no, { kind: 'token', token }, { field: null, from: 0 })
}
export const textHits = query('test.text-hits', (db, { dataset_no, token }: { dataset_no: number; token: string }) =>
  hitsOf(db, dataset_no, token),
)
