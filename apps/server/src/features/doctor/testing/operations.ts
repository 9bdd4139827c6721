import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'

import '#features/jobs/testing/operations.ts'

type Corrupt = (db: Db, dataset_no: number) => Promise<unknown>
const bySeq = ['record_terms', 'record_numbers', 'response_terms', 'response_numbers', 'agreement_numbers'] as const

const missingUser = '00000000-0000-7000-8000-000000000000'

/** Functions that each corrupt one kind of derived data. */
const corruptions = {
  counter: (db, no) =>
    db.sql
      .updateTable('dataset_counts')
      .set((eb) => ({ n: eb('n', '+', 1) }))
      .where('dataset_no', '=', no)
      .where('kind', '=', 'pending')
      .execute(),
  users: (db, no) => db.sql.updateTable('user_counts').set({ n: 77 }).where('dataset_no', '=', no).execute(),
  authors: (db, no) => db.sql.deleteFrom('dataset_users').where('dataset_no', '=', no).execute(),
  blocks: (db, no) => db.sql.insertInto('record_blocks').values({ dataset_no: no, block: 9, n: 4 }).execute(),
  statuses: (db, no) => db.sql.updateTable('records').set({ status: 'completed' }).where('dataset_no', '=', no).execute(),
  submitted: (db, no) => db.sql.updateTable('records').set({ submitted: 5 }).where('dataset_no', '=', no).execute(),
  lost: async (db, no) => {
    for (const table of bySeq) await db.sql.deleteFrom(table).where('dataset_no', '=', no).where('seq', '<', 4).execute()
  },
  added: async (db, no) => {
    const place = { dataset_no: no, seq: 2 }
    const term = await db.sql.selectFrom('record_terms').select('key').where('dataset_no', '=', no).executeTakeFirstOrThrow()
    await db.sql
      .insertInto('record_terms')
      .values({ ...place, key: term.key, value_key: 'nowhere' })
      .execute()
    const number = await db.sql.selectFrom('record_numbers').select('key').where('dataset_no', '=', no).executeTakeFirstOrThrow()
    await db.sql
      .insertInto('record_numbers')
      .values({ ...place, key: number.key, number: 4, seq: 999 })
      .execute()
  },
  assignments: async (db, no) => {
    const user = await db.sql.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const row = { dataset_no: no, due_at: null, assigned_by: null, assigned_at: 1 }
    await db.sql
      .insertInto('assignments')
      .values([
        { ...row, seq: 1, user_id: user.id },
        { ...row, seq: 999, user_id: user.id },
        { ...row, seq: 2, user_id: missingUser },
      ])
      .execute()
    await db.sql.updateTable('dataset_state').set({ assignments_version: 0 }).where('dataset_no', '=', no).execute()
  },
  gold: async (db, no) => {
    await db.sql.updateTable('gold').set({ answered: 7 }).where('dataset_no', '=', no).execute()
    const [record] = await db.sql.selectFrom('gold').selectAll().where('dataset_no', '=', no).execute()
    if (record === undefined) throw new Error('the dataset has no final answers')
    for (const seq of [0, 500])
      await db.sql
        .insertInto('gold')
        .values({ ...record, values: json(record.values), seq })
        .execute()
    const unfinished = db.sql.updateTable('agreement_numbers').set({ reviewed: true }).where('dataset_no', '=', no)
    await unfinished.where('seq', '!=', record.seq).execute()
  },
  extra: (db, no) =>
    db.sql.updateTable('records').set({ extra_answers: 2 }).where('dataset_no', '=', no).where('seq', '<', 3).execute(),
  times: (db, no) => db.sql.updateTable('responses').set({ active_ms: 1 }).where('dataset_no', '=', no).execute(),
  text: (db, no) => db.dialect.text.purge(db.sql, no, 2, 3),
  next: (db, no) => db.sql.updateTable('dataset_state').set({ next_seq: 3 }).where('dataset_no', '=', no).execute(),
} satisfies { readonly [way: string]: Corrupt }

export type Corruption = keyof typeof corruptions
export const allCorruptions = Object.keys(corruptions) as Corruption[]

export const corrupt = command(
  'test.spoil',
  async (db, { dataset_no, way }: { readonly dataset_no: number; readonly way: Corruption }): Promise<void> => {
    await corruptions[way](db, dataset_no)
  },
)
