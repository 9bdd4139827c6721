import { parseFileAddress } from '@postil/contract/files/stored-file-addresses.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { datasetFor, printDataset } from '#features/datasets/public.ts'
import {
  allRecords,
  type Column,
  type ExportContext,
  exportContext,
  type TableColumn,
  tableFile,
  typeInferenceOf,
  wideTable,
  withExportedValues,
} from '#features/exports/public.ts'
import { embedImage } from '#features/images/public.ts'
import { removeUpload, storeUpload, uploadPath } from '#features/imports/public.ts'
import { printField, printMetadataProperty, printQuestion, printVectorSettings } from '#features/schema/public.ts'
import { serverFieldType } from '#field-types/registry.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import { type JobContext, jobKind, type RemoteControl } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { orFailed, sealedToken } from '../job-token.ts'
import { checkTarget, type HubTarget, subsetsOf } from '../layout.ts'
import { datasetOfJob } from '../queries.ts'
import { cardOf } from './card.ts'
import { push } from './push.ts'

export type ExportArgs = { readonly dataset_id: string; readonly target: HubTarget }
type Input = { readonly failed: Reason } | { readonly records: number }

/** The dataset that a job exports, in wire format, and the user who started the job; null when either no longer exists. */
const exportOfJob = query('hub.export-of-job', async (db, { job_id }: { readonly job_id: string }) => {
  const found = await datasetOfJob(db, job_id)
  const user = await starterOf(db, found?.job.user_id ?? null)
  if (found === null || user === null) return null
  const dataset = printDataset(await datasetFor(db, found.dataset.id, user))
  // The arguments were written by `startExport`.
  return { args: found.job.args as unknown as ExportArgs, user, dataset }
})

const TIME_COLUMNS: ReadonlySet<string> = new Set(['inserted_at', 'updated_at'])

type Rows = ReturnType<typeof wideTable>['rowsOf']

/**
 * Converts rows to the format that clients of Hub tables read. In Hub tables, suggestions for some questions have a different
 * format than in other tables.
 */
const hubRows = ({ questions }: ExportContext, columns: readonly Column[], rowsOf: Rows): Rows => {
  const converters = questions.flatMap(({ name, settings }) => {
    const { suggested } = serverQuestionType(settings)
    return suggested === undefined ? [] : [[columns.findIndex((one) => one.name === `${name}.suggestion`), suggested] as const]
  })
  const convert = withExportedValues(questions)
  const changed = (row: ReturnType<Rows>[number]) =>
    converters.reduce((cells, [i, form]) => (cells[i] == null ? cells : cells.with(i, form(cells[i]))), row as JsonValue[])
  return (record) => rowsOf(convert(record)).map(changed)
}

/** Placeholder for a stored file when only the value's type matters, so that the file doesn't have to be read. */
const SOME_IMAGE = 'data:image/png;base64,AAAA'

/**
 * Whether a cell of an image column refers to a file that is stored in this dataset. Such files are pushed to the Hub as part of
 * the table.
 */
const isOwnFile = (what: string | null | undefined, value: JsonValue | undefined, dataset: string): boolean =>
  what === 'image' && parseFileAddress(value)?.dataset_id === dataset

/** @throws OutgoingFault for a missing file */
const embeddedOrUrl = async (ctx: JobContext, dataset: string, value: JsonValue): Promise<JsonValue> => {
  const found = await embedImage(ctx.config, dataset, value)
  if (found === null) throw new OutgoingFault(message('recordFileMissing', { file: String(value).slice(0, 300) }), false)
  return found
}

/** The table's columns, and whether each one is left out. */
const columnPlan = ({ fields }: ExportContext, columns: readonly Column[]) => {
  return columns.map((column, i) => {
    // Fields are matched by position: the first columns belong to the record and its fields, and a column's name may differ from
    // the field's name
    const field = fields[i - 5]
    const isImage = field !== undefined && serverFieldType(field.settings).holdsImages
    const what = i < 5 && TIME_COLUMNS.has(column.name) ? 'time' : isImage ? 'image' : null
    return { column, what, isLeftOut: field === undefined && column.name === 'extra_metadata' } as const
  })
}

type Export = NonNullable<Awaited<ReturnType<typeof readExport>>>
const readExport = async ({ store }: JobContext, id: string) => {
  const found = await store.read(exportOfJob, { job_id: id })
  if (found === null) return null
  const which: { user: Actor; dataset_id: string } = { user: found.user, dataset_id: found.dataset.id }
  return { ...found, which, context: await store.read(exportContext, { ...which, after: undefined }) }
}

/**
 * Writes the table to a file. Columns whose type depends on their values are read completely before the first row is written.
 */
const writeTable = async (
  ctx: JobContext,
  id: string,
  { which, context }: Export,
  control: RemoteControl | undefined,
): Promise<number> => {
  const table = wideTable(context)
  const { columns } = table
  const rowsOf = hubRows(context, columns, table.rowsOf)
  const plan = columnPlan(context, columns)
  const typeInferences = plan.map(({ column, what }) => typeInferenceOf(column, what))
  let total = 0
  for await (const page of allRecords(ctx, which)) {
    control?.signal.throwIfAborted()
    total += page.length
    for (const row of page.flatMap(rowsOf))
      row.forEach(
        (value, i) => void typeInferences[i]?.observe(isOwnFile(plan[i]?.what, value, which.dataset_id) ? SOME_IMAGE : value),
      )
  }
  if (total === 0) throw new OutgoingFault(message('noRecords'), false)
  const includedColumns = plan.flatMap(({ isLeftOut }, i) => (isLeftOut ? [] : [i]))
  const made = includedColumns.map(
    (i): TableColumn => ({ name: columns[i]?.name ?? '', type: typeInferences[i]?.type() ?? { kind: 'none' } }),
  )
  let done = 0
  async function* pages(): AsyncGenerator<readonly (readonly JsonValue[])[]> {
    for await (const page of allRecords(ctx, which)) {
      control?.signal.throwIfAborted()
      // Writes one row at a time, because the images of a whole page may not fit in memory
      for (const row of page.flatMap(rowsOf)) {
        const cells = includedColumns.map((i) => {
          const value = row[i] ?? null
          return isOwnFile(plan[i]?.what, value, which.dataset_id) ? embeddedOrUrl(ctx, which.dataset_id, value) : value
        })
        yield [await Promise.all(cells)]
      }
      done += page.length
      // Records may have been added since they were counted
      control?.reportProgress(Math.min(done, total), total)
    }
  }
  await removeUpload(ctx.config, id)
  await storeUpload(ctx.config, id, tableFile(made, pages()))
  return done
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const filesFor =
  ({ args, dataset, context }: Export, records: number) =>
  (paths: readonly string[], repository: string) => {
    const fields = context.fields.map(printField)
    const questions = context.questions.map(printQuestion)
    const metadata = context.properties.map(printMetadataProperty)
    const vectors = context.vectors.map(printVectorSettings)
    const { guidelines, allow_extra_metadata, distribution } = dataset
    const subsets = subsetsOf(paths, args.target)
    return {
      'README.md': cardOf({ repository, records, guidelines, subsets, fields, questions, metadata, vectors }),
      '.argilla/version.json': json({ argilla: '2.8.0' }),
      '.argilla/dataset.json': json(dataset),
      '.argilla/settings.json': json({ guidelines, allow_extra_metadata, distribution, fields, questions, metadata, vectors }),
    }
  }

const runExport = async (ctx: JobContext, id: string, control: RemoteControl | undefined): Promise<Input> => {
  const found = await readExport(ctx, id)
  if (found === null) return { failed: message('exporterGone') }
  const token = await sealedToken(ctx, id)
  if (token === null) return { failed: message('noToken') }
  checkTarget(found.args.target)
  try {
    const records = await writeTable(ctx, id, found, control)
    const table = uploadPath(ctx.config, id)
    await push(ctx.config, { target: found.args.target, token, table, files: filesFor(found, records) }, control?.signal)
    return { records }
  } finally {
    await removeUpload(ctx.config, id)
  }
}

/** Exports a dataset to the Hub. An interrupted job starts over, because pushing the same data twice changes nothing. */
export const exportToHub = jobKind<Input>(
  'hub.export',
  async (_db, _job, input) =>
    'failed' in input ? { finished: false, failed: input.failed } : { finished: true, done: input.records, total: input.records },
  {
    remote: true,
    prepare: (ctx, id, control) => orFailed(runExport(ctx, id, control)),
    ended: ({ config }, id) => removeUpload(config, id),
  },
)
