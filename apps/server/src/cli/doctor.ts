import type { AppContext } from '#context.ts'
import { type CheckedDataset, type CheckResult, checkDataset, datasetsToCheck, markForRebuild } from '#features/doctor/public.ts'
import { migrations } from '#platform/db/migrate.ts'
import type { Cluster } from '#platform/db/store.ts'
import { FileStoreFault } from '#platform/files/define.ts'
import type { CliCommand } from './command.ts'
import { CommandError, printLine } from './command.ts'
import { printable } from './output/printable.ts'
import { withContext } from './with-context.ts'

type Report = {
  readonly ok: boolean
  readonly store: {
    readonly engine: string
    readonly version: string
    readonly location: string
    readonly revision: string | undefined
  }
  /** Null if the database is on one machine. */
  readonly cluster: Cluster | null
  readonly datasets: readonly CheckResult[]
}

const selectDatasets = async (ctx: AppContext, id: unknown): Promise<readonly CheckedDataset[]> => {
  const all = await datasetsToCheck(ctx)
  if (typeof id !== 'string') return all
  const found = all.filter((target) => target.id === id.toLowerCase())
  if (found.length === 0) throw new CommandError(`There is no dataset with ID '${id}'.`)
  return found
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const numbered = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

const linesOf = ({ name, workspace, id, records, rebuilding, differences, files, largeAnswers }: CheckResult): string[] => {
  const where = `Dataset   ${JSON.stringify(name)} in ${workspace} (${id})`
  const count = numbered(records, 'record')
  const wrong = differences.length + files.missing.length
  const state = wrong === 0 ? 'in order' : numbered(wrong, 'difference')
  return [
    `${where}: ${count}, ${state}${rebuilding ? '; rebuild in progress' : ''}`,
    ...differences.map(
      ({ what, key, stored, counted }) => `  ${what} of ${shown(key)}: ${shown(stored)} is stored, ${shown(counted)} is counted`,
    ),
    ...files.missing.map((path) => `  the file ${path} is missing, but a record refers to it`),
    ...(largeAnswers > 0 ? [`  ${numbered(largeAnswers, 'answer')} larger than POSTIL_MAX_ANSWER (remain readable)`] : []),
  ].map(printable)
}

const linesOfCluster = ({ version, nodes, faults }: Cluster): string[] => [
  `Cluster   Citus ${version}, ${numbered(nodes.length, 'node')}`,
  ...nodes.map(({ host, port, bytes, datasets }) => {
    const size = bytes === null ? 'unreachable' : `${Math.round(bytes / 2 ** 20)} MB`
    return `  ${host}:${port}: ${size}, ${numbered(datasets.length, 'dataset')}`
  }),
  ...faults.map((fault) => `  ${fault}.`),
]

const conclusionOf = ({ ok, cluster, datasets }: Report): string => {
  if (ok) return 'No problems found.'
  const lines = [
    ...(cluster !== null && cluster.faults.length > 0 ? ['The cluster has problems. See docs/operations.md.'] : []),
    ...(datasets.some(({ differences }) => differences.length > 0)
      ? ["Some derived data is wrong. Run 'postil doctor --rebuild' to rebuild it from records and answers."]
      : []),
    ...(datasets.some(({ files }) => files.missing.length > 0)
      ? ['Some files are missing. Restore them from a backup to the location set by POSTIL_FILES.']
      : []),
  ]
  return lines.join('\n')
}

const storeOf = async (ctx: AppContext): Promise<Report['store']> => ({
  ...(await ctx.store.health()),
  revision: migrations.at(-1)?.name,
})

/**
 * Prints each dataset as soon as it is checked, because a check may take a while. With `json`, prints everything at the end.
 */
const checkAll = async (ctx: AppContext, dataset: unknown, json: boolean): Promise<number> => {
  const print = json ? () => undefined : printLine
  const store = await storeOf(ctx)
  print('Settings  in order')
  print(`Store     ${store.engine} ${store.version}, ${store.location}, schema ${store.revision}`)
  const cluster = await ctx.store.cluster()
  for (const line of cluster === null ? [] : linesOfCluster(cluster)) print(printable(line))
  const datasets: CheckResult[] = []
  const checkable = await selectDatasets(ctx, dataset)
  if (checkable.length === 0) print('Datasets  none')
  for (const target of checkable) {
    const checked = await checkDataset(ctx, target).catch((error: unknown) => {
      throw error instanceof FileStoreFault ? new CommandError(`${error.message}.`) : error
    })
    datasets.push(checked)
    for (const line of linesOf(checked)) print(line)
  }
  const report = {
    ok:
      (cluster === null || cluster.faults.length === 0) &&
      datasets.every(({ differences, files }) => differences.length === 0 && files.missing.length === 0),
    store,
    cluster,
    datasets,
  }
  print(conclusionOf(report))
  if (json) printLine(JSON.stringify(report))
  return report.ok ? 0 : 1
}

const rebuildAll = async (ctx: AppContext, dataset: unknown, json: boolean): Promise<number> => {
  const markedDatasets = await selectDatasets(ctx, dataset)
  for (const { no } of markedDatasets) await ctx.store.write(markForRebuild, { dataset_no: no })
  if (json) printLine(JSON.stringify({ ok: true, markedDatasets: markedDatasets.map(({ id }) => id) }))
  else {
    printLine(`Scheduled to rebuild: ${numbered(markedDatasets.length, 'dataset')}.`)
    printLine('A running server starts the rebuild within a second. If no server is running, the rebuild begins when one starts.')
  }
  return 0
}

export const doctor: CliCommand = {
  options: {
    dataset: { type: 'string', placeholder: 'ID', about: 'Check only this dataset.' },
    rebuild: { type: 'boolean', about: 'Rebuild derived data from records and answers.' },
    json: { type: 'boolean', about: 'Print a single JSON object.' },
  },
  positionals: [],
  flags: 'data',
  store: 'current',
  run: ({ config, values }) => {
    const work = values.rebuild === true ? rebuildAll : checkAll
    return withContext(config, (ctx) => work(ctx, values.dataset, values.json === true))
  },
}
