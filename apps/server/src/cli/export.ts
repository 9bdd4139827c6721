import { downloadRecords, fileFormats } from '@postil/contract/files.ts'
import type { AppContext } from '#context.ts'
import { listMyDatasets } from '#features/datasets/service.ts'
import { download } from '#features/files/service.ts'
import { listMine } from '#features/workspaces/service.ts'
import { checked } from './checked.ts'
import { type CliCommand, CommandError, say, textOf, type Values } from './command.ts'
import { newFile, sizeOf, writeOut, writeWhole } from './whole-file.ts'
import { OPERATOR, withContext } from './with-context.ts'

/** The dataset that is meant, by its id or by its name. @throws CommandError where there is none, or more than one */
const chosen = async (ctx: AppContext, given: string, workspace: string | undefined) => {
  const { items: workspaces } = await listMine(ctx, OPERATOR)
  const nameOf = new Map(workspaces.map(({ id, name }) => [id, name]))
  const inside = workspace === undefined ? undefined : workspaces.find(({ name }) => name === workspace)?.id
  if (workspace !== undefined && inside === undefined) throw new CommandError(`There is no workspace '${workspace}'.`)
  const { items } = await listMyDatasets(ctx, OPERATOR, { workspace_id: inside })
  const byName = items.filter(({ name }) => name === given)
  const found = byName.length > 0 ? byName : items.filter(({ id }) => id === given.toLowerCase())
  const [dataset] = found
  const where = workspace === undefined ? '' : ` in workspace '${workspace}'`
  if (dataset === undefined) throw new CommandError(`There is no dataset '${given}'${where}.`)
  if (found.length > 1) {
    const places = found.map(({ workspace_id }) => nameOf.get(workspace_id) ?? workspace_id).join(', ')
    throw new CommandError(`There are ${found.length} datasets '${given}': say by --workspace which one (${places}).`)
  }
  return dataset
}

/** A dataset's name may hold what a file's name must not. */
const fileName = (name: string): string => name.replace(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_').replace(/^[.-]/, '_')

const wantedOf = (values: Values) =>
  checked(downloadRecords.query, {
    format: textOf(values, 'format'),
    shape: textOf(values, 'shape'),
    question: textOf(values, 'question'),
    escape_formulas: values['escape-formulas'] === true,
  })

export const exportDataset: CliCommand = {
  names: ['export'],
  summary: 'Write the records of a dataset with all answers into a file. Works while the server runs.',
  options: {
    workspace: { type: 'string', shows: 'NAME', about: 'Where the dataset is, when several have its name.' },
    format: { type: 'string', default: 'jsonl', shows: 'NAME', about: `One of ${fileFormats.join(', ')} [jsonl].` },
    shape: {
      type: 'string',
      default: 'wide',
      shows: 'NAME',
      about: 'wide: a row for each record, long: one for each answer [wide].',
    },
    question: { type: 'string', shows: 'NAME', about: 'For conll and spacy: the span question, when there are several.' },
    'escape-formulas': { type: 'boolean', about: 'For csv that a spreadsheet opens: keep cells from being formulas.' },
    output: { type: 'string', shows: 'FILE', about: "Where to; '-' is standard output [a file named like the dataset, here]." },
    force: { type: 'boolean', about: 'Replace the file.' },
  },
  positionals: ['dataset'],
  flags: 'data',
  run: ({ config, values, positionals: [given = ''] }) => {
    const wanted = wantedOf(values)
    const force = values.force === true
    const output = textOf(values, 'output')
    return withContext(config, async (ctx) => {
      const dataset = await chosen(ctx, given, textOf(values, 'workspace'))
      const file = await download(ctx, OPERATOR, dataset.id, wanted)
      if (output === '-') {
        await writeOut(file.chunks)
        return 0
      }
      const path = newFile(output ?? fileName(file.name), force)
      const bytes = await writeWhole(path, file.chunks, force)
      say(`Exported ${JSON.stringify(dataset.name)} to ${path} (${sizeOf(bytes)}).`)
      return 0
    })
  },
}
