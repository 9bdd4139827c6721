import { expectTexts } from '#features/responses/testing/operations.ts'
import { recordTokens } from '#field-types/record-tokens.ts'
import { command, query } from '#platform/db/operations.ts'
import { fieldsOf } from '../index-records.ts'

/** Loads the operations of the application and of other tests. The operations below are needed only by these tests. */
import '#features/records/testing/operations.ts'
import { beginTextRebuild } from '../rebuild-text.ts'

/** Simulates a process that was killed after it responded but before it indexed the texts of the records from `from` on. */
export const deleteTokens = command(
  'test.lose-texts',
  async (db, { dataset_no, from }: { readonly dataset_no: number; readonly from: number }): Promise<void> => {
    await expectTexts(db, dataset_no)
    const dataset = await db.sql.selectFrom('datasets').select('id').where('no', '=', dataset_no).executeTakeFirstOrThrow()
    const fields = await fieldsOf(db, dataset.id)
    const records = db.sql.selectFrom('records').select(['seq', 'fields']).where('dataset_no', '=', dataset_no)
    const changes = (await records.where('seq', '>=', from).execute()).map(({ seq, fields: values }) => ({
      seq,
      before: recordTokens(fields, values),
      after: null,
    }))
    await db.dialect.text.index(db.sql, dataset_no, changes)
    await db.sql.updateTable('dataset_state').set({ text_due_from: from }).where('dataset_no', '=', dataset_no).execute()
  },
)

/** Puts a dataset's text index into a state that another tokenizer or a fault can leave behind. */
export const corruptText = command(
  'test.spoil-text',
  async (db, { dataset_no, version }: { readonly dataset_no: number; readonly version?: number }): Promise<void> => {
    await expectTexts(db, dataset_no)
    await db.dialect.text.index(db.sql, dataset_no, [
      { seq: 1, before: [{ field: 0, tokens: ['nothing'] }], after: [{ field: 0, tokens: ['lie', 'spoilt'] }] },
    ])
    await db.dialect.text.purge(db.sql, dataset_no, 2, 30)
    await db.sql
      .updateTable('dataset_tokens')
      .set((eb) => ({ df: eb('df', '+', 3) }))
      .where('dataset_no', '=', dataset_no)
      .where('token', '<', 'w2')
      .execute()
    if (version === undefined) return
    await db.sql.updateTable('dataset_state').set({ text_version: version }).where('dataset_no', '=', dataset_no).execute()
  },
)

export const beginRebuild = command('test.begin-text-rebuild', (db, { dataset_no }: { readonly dataset_no: number }) =>
  beginTextRebuild(db, dataset_no),
)

export const textStateOf = query('test.text-state', (db, { dataset_no }: { readonly dataset_no: number }) =>
  db.sql
    .selectFrom('dataset_state')
    .select(['text_version', 'text_rebuilt_to', 'text_due_from', 'next_seq'])
    .where('dataset_no', '=', dataset_no)
    .executeTakeFirstOrThrow(),
)

/** Releases all jobs, as if the processes holding them had died. */
export const releaseAll = command('test.release-jobs', async (db): Promise<void> => {
  await db.sql.updateTable('jobs').set({ available_at: 0 }).execute()
})
