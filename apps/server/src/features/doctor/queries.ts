import { type FileAddress, parseFileAddress } from '@postil/contract/files/stored-file-addresses.ts'
import { isTextIndexed } from '#features/jobs/public.ts'
import { query } from '#platform/db/operations.ts'
import { UNFINISHED } from '#platform/jobs/states.ts'

/** A dataset to examine. */
export type CheckedDataset = {
  readonly id: string
  readonly no: number
  readonly name: string
  readonly workspace: string
  readonly records: number
  /** True while a rebuild of any part is running or queued. */
  readonly rebuilding: boolean
}

const REBUILDING = ['text.rebuild', 'dataset.rebuild']

/** All datasets that are not being deleted, ordered by number. */
export const listDatasets = query('doctor.datasets', async (db): Promise<readonly CheckedDataset[]> => {
  const rows = await db.sql
    .selectFrom('datasets')
    .innerJoin('dataset_state', 'dataset_state.dataset_no', 'datasets.no')
    .select(['datasets.id', 'datasets.no', 'datasets.name', 'datasets.workspace_id', 'text_version', 'text_rebuilt_to'])
    .where('gone_at', 'is', null)
    .orderBy('no')
    .execute()
  const workspaces = new Map(
    (await db.sql.selectFrom('workspaces').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
  )
  const jobs = await db.sql
    .selectFrom('jobs')
    .select('dataset_no')
    .where('state', 'in', UNFINISHED)
    .where('kind', 'in', REBUILDING)
    .execute()
  const queuedNos = new Set(jobs.map(({ dataset_no }) => dataset_no))
  const datasets: CheckedDataset[] = []
  for (const { text_version, text_rebuilt_to, workspace_id, ...row } of rows) {
    const { n } = await db.sql
      .selectFrom('records')
      .select((of) => of.fn.countAll<number>().as('n'))
      .where('dataset_no', '=', row.no)
      .executeTakeFirstOrThrow()
    const rebuilding = queuedNos.has(row.no) || !isTextIndexed({ text_version, text_rebuilt_to })
    datasets.push({ ...row, workspace: workspaces.get(workspace_id) ?? workspace_id, records: Number(n), rebuilding })
  }
  return datasets
})

type Page = { readonly no: number; readonly after: number }
export type NamedFiles = { readonly files: readonly FileAddress[]; readonly last: number | null }
const RECORDS_PER_PAGE = 500

/** The uploaded files to which the fields of one page of records refer. `last`: the page's last record; null at the end. */
export const namedFiles = query('doctor.named-files', async (db, { no, after }: Page): Promise<NamedFiles> => {
  const rows = await db.sql
    .selectFrom('records')
    .select(['seq', 'fields'])
    .where('dataset_no', '=', no)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(RECORDS_PER_PAGE)
    .execute()
  const files = rows.flatMap(({ fields }) =>
    Object.values(fields as unknown as { readonly [name: string]: unknown }).flatMap((value) => parseFileAddress(value) ?? []),
  )
  return { files, last: rows.length < RECORDS_PER_PAGE ? null : (rows.at(-1)?.seq ?? null) }
})

type AnswerLimit = { readonly no: number; readonly limit: number }

/** The number of answers and suggested values of a dataset that exceed a size in bytes. */
export const largeAnswers = query('doctor.large-answers', async (db, { no, limit }: AnswerLimit): Promise<number> => {
  const answers = await db.sql
    .selectFrom('responses')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', no)
    .where((eb) => eb(eb.fn<number>('octet_length', ['values']), '>', limit))
    .executeTakeFirstOrThrow()
  const suggestions = await db.sql
    .selectFrom('suggestions')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('dataset_no', '=', no)
    .where((eb) => eb(eb.fn<number>('octet_length', ['value']), '>', limit))
    .executeTakeFirstOrThrow()
  return Number(answers.n) + Number(suggestions.n)
})
