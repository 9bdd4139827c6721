import { workspaceNamePattern } from '@postil/contract/people/workspaces.ts'
import type { QueueSettings } from '@postil/contract/queue.ts'
import type { SearchSettings } from '@postil/contract/search-settings.ts'
import type { SuggestionSettings } from '@postil/contract/suggestion-settings.ts'
import { jsonFault } from '@postil/contract/wire/json.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import type { AdoptedSchema } from '#features/schema/public.ts'
import { MigrationError } from './migration-error.ts'
import type { ExistingData } from './queries.ts'
import type { SourceClient } from './source/client.ts'
import * as source from './source/read.ts'
import { checkSchema } from './source/schema.ts'
import type { SourceDataset, SourceUser, SourceView, SourceWorkspace } from './source/shapes.ts'

/** Names of the datasets and workspaces to copy. If both lists are empty, everything is copied. */
export type MigrationFilter = { readonly datasets: readonly string[]; readonly workspaces: readonly string[] }

export type PlannedUser = {
  readonly source: SourceUser
  /** The user's ID on this server. For a user who hasn't been created yet, the ID that the user will get. */
  readonly id: string
  readonly isNew: boolean
}
type PlannedWorkspace = {
  readonly source: SourceWorkspace
  readonly id: string
  readonly name: string
  readonly isNew: boolean
  /** IDs of members at the source, in the order in which they joined. */
  readonly members: readonly string[]
}
export type PlannedDataset = {
  readonly source: SourceDataset
  readonly schema: AdoptedSchema
  readonly queue: QueueSettings
  readonly search: SearchSettings | null
  readonly suggestions: SuggestionSettings | null
  readonly views: readonly SourceView[]
  readonly workspace: PlannedWorkspace
  readonly isNew: boolean
  readonly records: number
  readonly answers: number
}
export type Plan = {
  readonly version: string
  readonly users: readonly PlannedUser[]
  /** All users at the source, including those who are not copied. */
  readonly everybody: readonly PlannedUser[]
  readonly workspaces: readonly PlannedWorkspace[]
  readonly datasets: readonly PlannedDataset[]
  /** Ways in which the copy will differ from what users might expect, one sentence each. */
  readonly notes: readonly string[]
  /** Reasons why nothing can be copied, one sentence each. */
  readonly problems: readonly string[]
}

type Messages = string[]

const planUsers = (
  users: readonly SourceUser[],
  here: ExistingData,
  notes: Messages,
  problems: Messages,
): readonly PlannedUser[] => {
  const ids = new Set(here.users.map(({ id }) => id))
  const byName = new Map(here.users.map(({ id, username }) => [username, id]))
  const planned = users.map((user): PlannedUser => {
    if (ids.has(user.id)) return { source: user, id: user.id, isNew: false }
    const id = byName.get(user.username)
    if (id === undefined) return { source: user, id: user.id, isNew: true }
    notes.push(
      `User '${user.username}' already exists here as ${id}. The work of the source user ${user.id} is copied to that user.`,
    )
    return { source: user, id, isNew: false }
  })
  for (const same of Map.groupBy(planned, ({ id }) => id).values()) {
    if (same.length < 2) continue
    const names = same.map((one) => `'${one.source.username}'`).join(' and ')
    problems.push(`The users ${names} would be merged into one here. Rename one of them.`)
  }
  return planned
}

/**
 * Returns the name if clients accept it. Otherwise replaces the characters that they don't accept, and adds a number if the new
 * name is taken.
 */
const readableName = (name: string, taken: ReadonlySet<string>): string => {
  if (workspaceNamePattern.test(name)) return name
  const base = name.replace(/[^a-zA-Z0-9_-]/gu, '_')
  for (let n = 1; ; n += 1) {
    const wanted = n === 1 ? base : `${base}-${n}`
    if (!taken.has(wanted)) return wanted
  }
}

type Named = Omit<PlannedWorkspace, 'members'>

const planWorkspaces = (all: readonly SourceWorkspace[], here: ExistingData, notes: Messages): readonly Named[] => {
  const taken = new Set([...here.workspaces, ...all].map(({ name }) => name))
  return all.map((workspace): Named => {
    const same = here.workspaces.find(({ id }) => id === workspace.id)
    if (same !== undefined) return { source: workspace, id: same.id, name: same.name, isNew: false }
    const name = readableName(workspace.name, taken)
    taken.add(name)
    if (name !== workspace.name)
      notes.push(`Workspace '${workspace.name}' is renamed '${name}' here, because clients do not accept the original name.`)
    const named = here.workspaces.find((one) => one.name === name)
    if (named === undefined) return { source: workspace, id: workspace.id, name, isNew: true }
    notes.push(`Workspace '${name}' already exists here as ${named.id}. The contents of ${workspace.id} are added to it.`)
    return { source: workspace, id: named.id, name, isNew: false }
  })
}

const refuseUnknown = (wanted: readonly string[], known: readonly string[], what: string): void => {
  const missing = wanted.find((name) => !known.includes(name))
  if (missing !== undefined) throw new MigrationError(`There is no ${what} '${missing}' on the source server.`)
}

type Chosen = { readonly workspaces: readonly Named[]; readonly datasets: readonly SourceDataset[]; readonly all: boolean }

/** @throws MigrationError for a name that doesn't exist at the source */
const selectDatasets = (wanted: MigrationFilter, workspaces: readonly Named[], datasets: readonly SourceDataset[]): Chosen => {
  if (wanted.workspaces.length + wanted.datasets.length === 0) return { workspaces, datasets, all: true }
  const names = workspaces.map(({ source: { name } }) => name)
  refuseUnknown(wanted.workspaces, names, 'workspace')
  const selectedWorkspaces = workspaces.filter(
    ({ source: { name } }) => wanted.workspaces.length === 0 || wanted.workspaces.includes(name),
  )
  const ids = new Set(selectedWorkspaces.map(({ source: { id } }) => id))
  const reachable = datasets.filter(({ workspace_id }) => ids.has(workspace_id))
  refuseUnknown(
    wanted.datasets,
    reachable.map(({ name }) => name),
    'dataset',
  )
  if (wanted.datasets.length === 0) return { workspaces: selectedWorkspaces, datasets: reachable, all: false }
  const chosen = reachable.filter(({ name }) => wanted.datasets.includes(name))
  const used = new Set(chosen.map(({ workspace_id }) => workspace_id))
  return { workspaces: selectedWorkspaces.filter(({ source: { id } }) => used.has(id)), datasets: chosen, all: false }
}

const conflictFault = ({ id, name }: SourceDataset, workspace: PlannedWorkspace, here: ExistingData): string | null => {
  const same = here.datasets.find((one) => one.id === id)
  if (same?.gone) return 'it was deleted here, and its rows are still being removed. Try again when the removal is done'
  if (same !== undefined) return null
  const other = here.datasets.find((one) => !one.gone && one.workspace_id === workspace.id && one.name === name)
  if (other === undefined) return null
  return `workspace '${workspace.name}' here already has a dataset with this name (${other.id}). Rename one of the two`
}

type SourceContents = {
  /** Usernames of users who have answers or views on the source server. */
  readonly authors: readonly string[]
  readonly hasViews: boolean
}

const planDataset = async (
  client: SourceClient,
  dataset: SourceDataset,
  {
    workspace,
    here,
    problems,
  }: { readonly workspace: PlannedWorkspace; readonly here: ExistingData; readonly problems: Messages },
): Promise<PlannedDataset & SourceContents> => {
  const { schema, problems: faults } = checkSchema(await source.readSchema(client, dataset.id))
  const fault = conflictFault(dataset, workspace, here) ?? jsonFault(dataset.metadata)
  for (const one of [...faults, ...(fault === null ? [] : [fault])]) {
    problems.push(`Dataset '${dataset.name}' in '${workspace.source.name}' cannot be copied: ${renderMessage(one)}.`)
  }
  const answers = await source.readAnswers(client, dataset.id)
  const views = await source.readViews(client, dataset.id)
  return {
    source: dataset,
    schema,
    queue: await source.readQueueSettings(client, dataset.id),
    search: await source.readSearchSettings(client, dataset.id),
    suggestions: await source.readSuggestionSettings(client, dataset.id),
    views: views ?? [],
    workspace,
    isNew: !here.datasets.some(({ id }) => id === dataset.id),
    records: await source.readTotal(client, dataset.id),
    answers: answers.submitted + answers.draft + answers.discarded,
    authors: [...answers.usernames, ...(views ?? []).map(({ user }) => user.username)],
    hasViews: views !== null,
  }
}

/**
 * Reads the source and plans the migration. Writes nothing.
 * @throws MigrationError if the source can't be read, or if a requested name doesn't exist there
 */
export const makePlan = async (client: SourceClient, here: ExistingData, wanted: MigrationFilter): Promise<Plan> => {
  const version = await source.greet(client)
  const notes: Messages = []
  const problems: Messages = []
  const everybody = planUsers(await source.readUsers(client), here, notes, problems)
  const named = planWorkspaces(await source.readWorkspaces(client), here, notes)
  const chosen = selectDatasets(wanted, named, await source.readDatasets(client))
  const workspaces: PlannedWorkspace[] = []
  for (const one of chosen.workspaces) workspaces.push({ ...one, members: await source.readMembers(client, one.source.id) })
  const datasets: (PlannedDataset & SourceContents)[] = []
  for (const dataset of chosen.datasets) {
    const workspace = workspaces.find(({ source: { id } }) => id === dataset.workspace_id)
    if (workspace === undefined)
      throw new MigrationError(`The workspace of dataset '${dataset.name}' was not found on the source server.`)
    datasets.push(await planDataset(client, dataset, { workspace, here, problems }))
  }
  if (datasets.some(({ hasViews }) => hasViews))
    notes.push(
      "Saved views that are not shared can be read only by their authors. Of these, only the views of the API key's user are copied.",
    )
  const members = new Set(workspaces.flatMap((workspace) => workspace.members))
  const authors = new Set(datasets.flatMap((dataset) => dataset.authors))
  const users = everybody.filter(({ source: { id, username } }) => chosen.all || members.has(id) || authors.has(username))
  return { version, users, everybody, workspaces, datasets, notes, problems }
}
