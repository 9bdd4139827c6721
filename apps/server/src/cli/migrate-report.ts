import type { Compared, Contents, MigrationResult, Plan } from '#features/migration/public.ts'
import { columns, printable } from './output/printable.ts'

/** Maximum number of omitted parts to show. `--json` shows all of them. */
const SHOWN = 20

const kinds: readonly (keyof Contents)[] = ['records', 'submitted', 'draft', 'discarded', 'suggestions', 'vectors', 'images']
/** The names of the kinds of data that only Postil servers have. A kind is listed only if at least one of the servers has it. */
const ownKinds = { gold: 'final answers', comments: 'comments', snapshots: 'snapshots' } as const

const row = (what: string, source: number, here: number): string[] => [
  what,
  String(source),
  String(here),
  source === here ? '' : `<- differs by ${here - source}`,
]

const rowsOf = ({ name, workspace, source, here }: Compared): string[][] => [
  ...kinds.map((kind) => row(`${name} (${workspace}): ${kind}`, source[kind], here[kind])),
  ...(['gold', 'comments', 'snapshots'] as const)
    .filter((kind) => source[kind] + here[kind] > 0)
    .map((kind) => row(`${name} (${workspace}): ${ownKinds[kind]}`, source[kind], here[kind])),
]

/** The counts at the source and on this server, one count per line. */
export const recountLines = ({ people, datasets }: MigrationResult): string[] =>
  columns([
    ['', 'source', 'here', ''],
    ...(['users', 'workspaces', 'memberships'] as const).map((what) => row(what, people[what].source, people[what].here)),
    ...datasets.flatMap(rowsOf),
  ])

/** The omitted parts, up to the limit. */
export const leftOutLines = ({ left_out }: MigrationResult): string[] => [
  ...left_out
    .slice(0, SHOWN)
    .map(({ dataset, record_id, part, reason }) =>
      printable(`Left out: ${part}${record_id === null ? '' : ` of record ${record_id}`} in '${dataset}': ${reason}`),
    ),
  ...(left_out.length > SHOWN ? [`… and ${left_out.length - SHOWN} more. Use --json to list all.`] : []),
]

export const conclusionOf = ({ made, changed, equal, left_out }: MigrationResult): string => {
  const did = `Created ${made.users} users, ${made.records} records and ${made.images} images; updated ${changed.records} records`
  if (equal && left_out.length === 0) return `${did}. The counts match on both servers.`
  const hint =
    left_out.length > 0
      ? 'See above for what was left out.'
      : 'If people are still working on either server, run the command again.'
  return `${did}. ${equal ? 'The counts match, but some items were left out' : 'The counts differ'}. ${hint}`
}

/** What a migration would do, one line per item. */
export const planLines = ({ users, workspaces, datasets, notes, problems }: Plan): string[] => {
  const state = (isNew: boolean) => (isNew ? 'new' : 'exists')
  return [
    ...columns([
      ...users.map(({ source, isNew }) => ['user', source.username, source.role, state(isNew)]),
      ...workspaces.map(({ name, members, isNew }) => ['workspace', name, `${members.length} members`, state(isNew)]),
      ...datasets.map(({ source, workspace, records, answers, isNew }) => [
        'dataset',
        `${source.name} (${workspace.name})`,
        `${records} records, ${answers} answers`,
        state(isNew),
      ]),
    ]),
    ...notes.map(printable),
    ...problems.map(printable),
  ]
}

/** A plan as a JSON document. */
export const planDocument = (plan: Plan & { readonly source: string }) => ({
  source: plan.source,
  version: plan.version,
  dry_run: true,
  users: plan.users.map(({ source, id, isNew }) => ({ username: source.username, source_id: source.id, id, new: isNew })),
  workspaces: plan.workspaces.map(({ source, id, name, isNew }) => ({
    source_name: source.name,
    source_id: source.id,
    name,
    id,
    new: isNew,
  })),
  datasets: plan.datasets.map(({ source, workspace, records, answers, isNew }) => ({
    id: source.id,
    name: source.name,
    workspace: workspace.name,
    records,
    answers,
    new: isNew,
  })),
  notes: plan.notes,
  problems: plan.problems,
})
