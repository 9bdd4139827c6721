import { command, query } from '#platform/db/operations.ts'
import { beginTextRebuild } from '../service.ts'

/** Everything that the application declares and that other tests need, and below it what only these tests need. */
import '#features/records/testing/operations.ts'

/** Leaves a dataset with a text index as another tokenizer, or a fault, would have left it. */
export const spoilText = command(
  'test.spoil-text',
  async (db, { dataset_no, version }: { readonly dataset_no: number; readonly version?: number }): Promise<void> => {
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
    .select(['text_version', 'text_rebuilt_to', 'next_seq'])
    .where('dataset_no', '=', dataset_no)
    .executeTakeFirstOrThrow(),
)

/** The holders of all jobs are dead. */
export const releaseAll = command('test.release-jobs', async (db): Promise<void> => {
  await db.sql.updateTable('jobs').set({ available_at: 0 }).execute()
})
