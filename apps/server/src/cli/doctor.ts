import type { AppContext } from '#context.ts'
import { type Examined, examine, type Patient, patients, rebuild } from '#features/doctor/service.ts'
import { migrations } from '#platform/db/migrate.ts'
import { FileStoreFault } from '#platform/files/define.ts'
import type { CliCommand } from './command.ts'
import { CommandError, say } from './command.ts'
import { printable } from './told/printable.ts'
import { withContext } from './with-context.ts'

type Report = {
  readonly ok: boolean
  readonly store: {
    readonly engine: string
    readonly version: string
    readonly location: string
    readonly revision: string | undefined
  }
  readonly datasets: readonly Examined[]
}

const chosen = async (ctx: AppContext, id: unknown): Promise<readonly Patient[]> => {
  const all = await patients(ctx)
  if (typeof id !== 'string') return all
  const found = all.filter((patient) => patient.id === id.toLowerCase())
  if (found.length === 0) throw new CommandError(`There is no dataset with the id '${id}'.`)
  return found
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const numbered = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** What a dataset has to say, a line for each difference. */
const linesOf = ({ name, workspace, id, records, rebuilding, differences, files }: Examined): string[] => {
  const where = `Dataset   ${JSON.stringify(name)} in ${workspace} (${id})`
  const count = numbered(records, 'record')
  const wrong = differences.length + files.missing.length
  const state = wrong === 0 ? 'in order' : numbered(wrong, 'difference')
  return [
    `${where}: ${count}, ${state}${rebuilding ? '; a rebuild is not finished' : ''}`,
    ...differences.map(
      ({ what, key, stored, counted }) => `  ${what} of ${shown(key)}: ${shown(stored)} is stored, ${shown(counted)} is counted`,
    ),
    ...files.missing.map((path) => `  the file ${path} is named by a record, and not there`),
  ].map(printable)
}

const conclusionOf = ({ ok, datasets }: Report): string => {
  if (ok) return 'Everything is in order.'
  const said = [
    ...(datasets.some(({ differences }) => differences.length > 0)
      ? ["Something differs. 'postil doctor --rebuild' makes what follows from records and answers again."]
      : []),
    ...(datasets.some(({ files }) => files.missing.length > 0)
      ? ['Files that records name are missing. Put them back where POSTIL_FILES says, from where they are backed up.']
      : []),
  ]
  return said.join('\n')
}

const storeOf = async (ctx: AppContext): Promise<Report['store']> => ({
  ...(await ctx.store.health()),
  revision: migrations.at(-1)?.name,
})

/** Prints as it goes, a dataset may take a while; with `json` all at the end. */
const examineAll = async (ctx: AppContext, dataset: unknown, json: boolean): Promise<number> => {
  const tell = json ? () => undefined : say
  const store = await storeOf(ctx)
  tell('Settings  in order')
  tell(`Store     ${store.engine} ${store.version}, ${store.location}, schema ${store.revision}`)
  const datasets: Examined[] = []
  const examinable = await chosen(ctx, dataset)
  if (examinable.length === 0) tell('Datasets  none')
  for (const patient of examinable) {
    const examined = await examine(ctx, patient).catch((error: unknown) => {
      throw error instanceof FileStoreFault ? new CommandError(`${error.message}.`) : error
    })
    datasets.push(examined)
    for (const line of linesOf(examined)) tell(line)
  }
  const report = {
    ok: datasets.every(({ differences, files }) => differences.length === 0 && files.missing.length === 0),
    store,
    datasets,
  }
  tell(conclusionOf(report))
  if (json) say(JSON.stringify(report))
  return report.ok ? 0 : 1
}

const rebuildAll = async (ctx: AppContext, dataset: unknown, json: boolean): Promise<number> => {
  const marked = await chosen(ctx, dataset)
  for (const patient of marked) await rebuild(ctx, patient)
  if (json) say(JSON.stringify({ ok: true, marked: marked.map(({ id }) => id) }))
  else {
    say(`Marked to be rebuilt: ${numbered(marked.length, 'dataset')}.`)
    say('A server that runs begins within a second, beside its other work; otherwise the next one that starts does.')
  }
  return 0
}

export const doctor: CliCommand = {
  names: ['doctor'],
  summary: 'Count everything again and say what differs; with --rebuild have it made again. Works while the server runs.',
  options: {
    dataset: { type: 'string', shows: 'ID', about: 'Only this dataset.' },
    rebuild: { type: 'boolean', about: 'Have what follows from records and answers made again.' },
    json: { type: 'boolean', about: 'Print one JSON object.' },
  },
  positionals: [],
  flags: 'data',
  store: 'current',
  run: ({ config, values }) => {
    const work = values.rebuild === true ? rebuildAll : examineAll
    return withContext(config, (ctx) => work(ctx, values.dataset, values.json === true))
  },
}
