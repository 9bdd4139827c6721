import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { fileStore } from '#platform/files/file-store.ts'
import { enqueueJob, jobKind } from '#platform/jobs/kinds.ts'
import { type Micros, now } from '#platform/time.ts'

/**
 * How long an unreferenced file is kept, in milliseconds. Files are stored before the records that refer to them. A deleted
 * record can also be sent again and then refers to its file again.
 */
const UNUSED_MS = 86_400_000
const US = 1000
const ROWS = 500
const OPEN_STATES = ['queued', 'scheduled'] as const

type Found = { readonly names: readonly string[]; readonly last: number | null }
type Page = { readonly dataset_id: string; readonly no: number; readonly after: number; readonly since: Micros }

/** The names of a dataset's files in a string, wherever they occur: in a value, in Markdown or in template data. */
const namesIn = (text: string, dataset_id: string): readonly string[] =>
  [...text.matchAll(new RegExp(`/datasets/${dataset_id}/files/([0-9a-f]{64}\\.\\w{3,4})`, 'g'))].map(([, name = '']) => name)

const found = (rows: readonly { readonly seq: number; readonly text: string }[], dataset_id: string): Found => ({
  names: rows.flatMap(({ text }) => namesIn(text, dataset_id)),
  last: rows.length < ROWS ? null : (rows.at(-1)?.seq ?? null),
})

/**
 * The files that a page of records refers to, and the position of the next page. Considers only records that changed since a
 * given time.
 */
const namedByRecords = query('files.named-by-records', async (db, { dataset_id, no, after, since }: Page): Promise<Found> => {
  const rows = await db.sql
    .selectFrom('records')
    .select(['seq', 'fields', 'metadata'])
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .$if(since > 0, (some) => some.where('updated_at', '>=', since))
    .orderBy('seq')
    .limit(ROWS)
    .execute()
  return found(
    rows.map(({ seq, fields, metadata }) => ({ seq, text: JSON.stringify([fields, metadata]) })),
    dataset_id,
  )
})

/**
 * The files to which earlier versions of some records refer. They are kept, because restoring such a version also restores its
 * references. Deleted records are ignored, because they can't be restored.
 */
const namedByHistory = query('files.named-by-history', async (db, { dataset_id, no, after }: Page): Promise<Found> => {
  const some = await db.sql
    .selectFrom('history')
    .select('seq')
    .distinct()
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(ROWS)
    .execute()
  const seqs = some.map(({ seq }) => seq)
  if (seqs.length === 0) return { names: [], last: null }
  const rows = await db.sql
    .selectFrom('history')
    .innerJoin('records', (join) =>
      join.onRef('records.dataset_no', '=', 'history.dataset_no').onRef('records.seq', '=', 'history.seq'),
    )
    .select(['history.seq', 'history.image'])
    .where('history.dataset_no', '=', no)
    .where('history.seq', 'in', seqs)
    .where('history.subject', '=', 'record')
    .execute()
  const names = rows.flatMap(({ image }) => namesIn(JSON.stringify(image), dataset_id))
  return { names, last: some.length < ROWS ? null : (seqs.at(-1) ?? null) }
})

/**
 * Returns the numbers of all datasets, or null if the given dataset was deleted. All datasets must be searched, because any of
 * them may contain copied records that refer to files of the given dataset.
 */
const datasetsNaming = query(
  'files.datasets-that-name',
  async (db, { dataset_id }: { readonly dataset_id: string }): Promise<readonly number[] | null> => {
    const rows = await db.sql.selectFrom('datasets').select(['no', 'id']).where('gone_at', 'is', null).orderBy('no').execute()
    return rows.some(({ id }) => id === dataset_id) ? rows.map(({ no }) => no) : null
  },
)

/** Whether an import into the dataset is running or queued. */
export const isImporting = query('files.is-importing', async (db, { job_id }: { readonly job_id: string }): Promise<boolean> => {
  const job = await db.sql.selectFrom('jobs').select('dataset_no').where('id', '=', job_id).executeTakeFirst()
  const others = await db.sql
    .selectFrom('jobs')
    .select('id')
    .where('dataset_no', '=', job?.dataset_no ?? -1)
    .where('kind', 'in', ['imports.file', 'hub.import'])
    .where('state', 'in', [...OPEN_STATES, 'started'])
    .limit(1)
    .execute()
  return others.length > 0
})

const sweepOf = query('files.sweep', async (db, { job_id }: { readonly job_id: string }): Promise<string | null> => {
  const job = await db.sql.selectFrom('jobs').select('args').where('id', '=', job_id).executeTakeFirst()
  const dataset = job?.args['dataset_id']
  return typeof dataset === 'string' ? dataset : null
})

type SweepContext = {
  readonly store: Store
  readonly dataset_id: string
  readonly nos: readonly number[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Removes from `names` the files that records or their history refer to.
 * @param since if it isn't 0, only records that have changed since this time are considered, and the history is ignored
 */
const excludeNamed = async (
  { store, dataset_id, nos, signal }: SweepContext,
  names: Set<string>,
  since: Micros,
): Promise<void> => {
  for (const no of nos) {
    for (const findNames of since > 0 ? [namedByRecords] : [namedByRecords, namedByHistory]) {
      for (let after: number | null = -1; after !== null && names.size > 0; ) {
        signal?.throwIfAborted()
        const page: Found = await store.read(findNames, { dataset_id, no, after, since }, { lane: 'slow' })
        for (const name of page.names) names.delete(name)
        after = page.last
      }
    }
  }
}

/** `again`: whether a sweep a day later might remove more files. */
type Swept = { readonly dataset_id: string | null; readonly removed: number; readonly again: boolean }

/**
 * Removes a dataset's files that nothing has referred to for a day. These are images of deleted records, of canceled or failed
 * imports, and of rows that could not become records. Removes nothing during an import, because an import stores files before the
 * records.
 */
export const sweepFiles = jobKind<Swept>(
  'dataset.sweep-files',
  async (db, { dataset_no, done }, { dataset_id, removed, again }) => {
    if (again && dataset_no !== null && dataset_id !== null) await enqueueSweep(db, { no: dataset_no, id: dataset_id })
    return { finished: true, done: done + removed }
  },
  {
    remote: true,
    prepare: async ({ store, config }, job_id, control) => {
      const dataset_id = await store.read(sweepOf, { job_id })
      const nos = dataset_id === null ? null : await store.read(datasetsNaming, { dataset_id })
      if (dataset_id === null || nos === null) return { dataset_id, removed: 0, again: false }
      const files = await fileStore(config)
      const before = Date.now() - UNUSED_MS
      const began = now()
      const old = new Set(await Array.fromAsync(files.listOld(dataset_id, before)))
      const all = (await Array.fromAsync(files.list(dataset_id))).length
      const hasRecentFiles = all > [...old].filter((name) => !name.endsWith('.part')).length
      const context: SweepContext = { store, dataset_id, nos, signal: control?.signal }
      await excludeNamed(context, old, 0)
      if (old.size > 0) await excludeNamed(context, old, began)
      if (await store.read(isImporting, { job_id })) return { dataset_id, removed: 0, again: true }
      let removed = 0
      for (const name of old) {
        control?.signal.throwIfAborted()
        if (await files.removeOld(dataset_id, name, before)) removed += 1
      }
      return { dataset_id, removed, again: hasRecentFiles }
    },
    ended: async () => undefined,
  },
)

/** Schedules a sweep of a dataset's files, one day from now. Requests made in the meantime share that sweep. */
export const enqueueSweep = async (db: Db, { no, id }: { readonly no: number; readonly id: string }): Promise<void> => {
  const known = await db.sql
    .selectFrom('jobs')
    .select('id')
    .where('dataset_no', '=', no)
    .where('kind', '=', sweepFiles.kind)
    .where('state', 'in', OPEN_STATES)
    .limit(1)
    .execute()
  if (known.length > 0) return
  await enqueueJob(db, sweepFiles, { dataset_no: no, args: { dataset_id: id }, delay: UNUSED_MS * US })
}

/** Whether a stored record may refer to an uploaded file. */
export const mayNameFiles = (fields_json: string): boolean => fields_json.includes('/files/')
