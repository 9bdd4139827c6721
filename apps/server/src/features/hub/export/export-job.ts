import { fileNamedBy } from '@postil/contract/files/stored-file-names.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import { datasetFor, presentDataset } from '#features/datasets/service.ts'
import { allRecords, type Column, type FileContext, fileContext, wideTable } from '#features/files/service.ts'
import { keepUpload, removeUpload, uploadPath } from '#features/imports/service.ts'
import { embedded } from '#features/pictures/service.ts'
import type { Actor } from '#features/records/service.ts'
import { printField, printMetadataProperty, printQuestion, printVectorSettings } from '#features/schema/service.ts'
import { serverFieldType } from '#field-types/registry.ts'
import { query } from '#platform/db/operations.ts'
import { type Away, type JobContext, jobKind } from '#platform/jobs/kinds.ts'
import { starterOf } from '#platform/jobs/starter.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { orFailed, sealedToken } from '../job-token.ts'
import { checkTarget, type HubTarget, subsetsOf } from '../layout.ts'
import { datasetOfJob } from '../queries.ts'
import { cardOf } from './card.ts'
import { push } from './push.ts'
import { type TableColumn, tableFile } from './table-file.ts'
import { judgeOf } from './table-types.ts'

export type ExportArgs = { readonly dataset_id: string; readonly target: HubTarget }
type Input = { readonly failed: string } | { readonly records: number }

/** The dataset that a job exports as the wire has it, and who started it; null when one of them is gone. */
export const exportOfJob = query('hub.export-of-job', async (db, { job_id }: { readonly job_id: string }) => {
  const found = await datasetOfJob(db, job_id)
  const user = await starterOf(db, found?.job.user_id ?? null)
  if (found === null || user === null) return null
  const dataset = presentDataset(await datasetFor(db, found.dataset.id, user))
  // The arguments are those that `startExport` made.
  return { args: found.job.args as unknown as ExportArgs, user, dataset }
})

const TIMES: ReadonlySet<string> = new Set(['inserted_at', 'updated_at'])

type Rows = ReturnType<typeof wideTable>['rowsOf']

/** Rows as clients of the hub's tables read them: some questions have suggestions in another form there. */
const hubRows = ({ questions }: FileContext, columns: readonly Column[], rowsOf: Rows): Rows => {
  const forms = questions.flatMap(({ name, settings }) => {
    const { suggested } = serverQuestionType(settings.type)
    return suggested === undefined ? [] : [[columns.findIndex((one) => one.name === `${name}.suggestion`), suggested] as const]
  })
  if (forms.length === 0) return rowsOf
  const changed = (row: ReturnType<Rows>[number]) =>
    forms.reduce((cells, [i, form]) => (cells[i] == null ? cells : cells.with(i, form(cells[i]))), row as JsonValue[])
  return (record) => rowsOf(record).map(changed)
}

/** Stands for a stored file where only the kind of a value counts: it is not read for that. */
const SOME_IMAGE = 'data:image/png;base64,AAAA'
/** Whether a cell of a column of images names a file of the dataset itself, which is pushed along. */
const isOwnFile = (what: string | null | undefined, value: JsonValue | undefined, dataset: string): boolean =>
  what === 'image' && fileNamedBy(value)?.dataset_id === dataset

/** @throws OutgoingFault for a file that is lost */
const embeddedOr = async (ctx: JobContext, dataset: string, value: JsonValue): Promise<JsonValue> => {
  const found = await embedded(ctx.config, dataset, value)
  if (found === null) throw new OutgoingFault(sayReason('recordFileMissing', { file: String(value).slice(0, 300) }), false)
  return found
}

/** The columns of the table, and which of them it leaves out. */
const judged = ({ fields }: FileContext, columns: readonly Column[]) => {
  return columns.map((column, i) => {
    // NOTE: the first columns are those of the record and its fields, whose columns may be called otherwise than they are
    const field = fields[i - 5]
    const isImage = field !== undefined && serverFieldType(field.settings.type).holdsPictures
    const what = i < 5 && TIMES.has(column.name) ? 'time' : isImage ? 'image' : null
    return { column, what, isLeftOut: field === undefined && column.name === 'extra_metadata' } as const
  })
}

type Export = NonNullable<Awaited<ReturnType<typeof readExport>>>
const readExport = async ({ store }: JobContext, id: string) => {
  const found = await store.read(exportOfJob, { job_id: id })
  if (found === null) return null
  const which: { user: Actor; dataset_id: string } = { user: found.user, dataset_id: found.dataset.id }
  return { ...found, which, context: await store.read(fileContext, { ...which, after: undefined }) }
}

/** Writes the table into a file. Columns whose values say what they are need all of them before the first is written. */
const writeTable = async (ctx: JobContext, id: string, { which, context }: Export, away: Away | undefined): Promise<number> => {
  const table = wideTable(context)
  const { columns } = table
  const rowsOf = hubRows(context, columns, table.rowsOf)
  const plan = judged(context, columns)
  const judges = plan.map(({ column, what }) => judgeOf(column, what))
  let total = 0
  for await (const page of allRecords(ctx, which)) {
    away?.signal.throwIfAborted()
    total += page.length
    for (const row of page.flatMap(rowsOf))
      row.forEach((value, i) => void judges[i]?.see(isOwnFile(plan[i]?.what, value, which.dataset_id) ? SOME_IMAGE : value))
  }
  if (total === 0) throw new OutgoingFault(sayReason('noRecords'), false)
  const kept = plan.flatMap(({ isLeftOut }, i) => (isLeftOut ? [] : [i]))
  const made = kept.map((i): TableColumn => ({ name: columns[i]?.name ?? '', type: judges[i]?.type() ?? { kind: 'none' } }))
  let done = 0
  async function* pages(): AsyncGenerator<readonly (readonly JsonValue[])[]> {
    for await (const page of allRecords(ctx, which)) {
      away?.signal.throwIfAborted()
      // NOTE: a row at a time: the images of a whole page may be more than there is room for
      for (const row of page.flatMap(rowsOf)) {
        const cells = kept.map((i) => {
          const value = row[i] ?? null
          return isOwnFile(plan[i]?.what, value, which.dataset_id) ? embeddedOr(ctx, which.dataset_id, value) : value
        })
        yield [await Promise.all(cells)]
      }
      done += page.length
      // NOTE: more may have come since they were counted
      away?.tell(Math.min(done, total), total)
    }
  }
  await removeUpload(ctx.config, id)
  await keepUpload(ctx.config, id, tableFile(made, pages()))
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

const carryOut = async (ctx: JobContext, id: string, away: Away | undefined): Promise<Input> => {
  const found = await readExport(ctx, id)
  if (found === null) return { failed: sayReason('exporterGone') }
  const token = await sealedToken(ctx, id)
  if (token === null) return { failed: sayReason('noToken') }
  checkTarget(found.args.target)
  try {
    const records = await writeTable(ctx, id, found, away)
    const table = uploadPath(ctx.config, id)
    await push(ctx.config, { target: found.args.target, token, table, files: filesFor(found, records) }, away?.signal)
    return { records }
  } finally {
    await removeUpload(ctx.config, id)
  }
}

/** Exports a dataset to the hub. A job that is interrupted begins again: the same push twice changes nothing. */
export const exportToHub = jobKind<Input>(
  'hub.export',
  async (_db, _job, input) =>
    'failed' in input ? { finished: false, failed: input.failed } : { finished: true, done: input.records, total: input.records },
  {
    remote: true,
    prepare: (ctx, id, away) => orFailed(carryOut(ctx, id, away)),
    ended: ({ config }, id) => removeUpload(config, id),
  },
)
