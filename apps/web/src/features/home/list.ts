import type { Home, HomeDataset } from '@postil/contract/home.ts'
import { compareTexts, parseWireTime } from '#i18n/format.ts'
import { plainOf } from '#lib/text/plain.ts'
import type { HomeSort } from '#lib/url/home-search.ts'

export type Row = HomeDataset & { readonly workspace: string }
export type WorkspaceCount = { readonly name: string; readonly datasets: number }

/** What a device has kept of a list may be older than the page. */
type Kept = Omit<HomeDataset, 'answered_by'> & Partial<HomeDataset>

export const rowsOf = (home: Home): readonly Row[] => {
  const names = new Map(home.workspaces.map(({ id, name }) => [id, name]))
  const datasets: readonly Kept[] = home.datasets
  return datasets.map((item) => ({
    ...item,
    answered_by: item.answered_by ?? { usernames: [], total: 0 },
    workspace: names.get(item.dataset.workspace_id) ?? '',
  }))
}

/** Every workspace of the user with how many datasets it has, by name. */
export const workspaceCounts = (home: Home): readonly WorkspaceCount[] => {
  const counts = new Map<string, number>()
  for (const { dataset } of home.datasets) counts.set(dataset.workspace_id, (counts.get(dataset.workspace_id) ?? 0) + 1)
  return home.workspaces
    .map(({ id, name }) => ({ name, datasets: counts.get(id) ?? 0 }))
    .sort((a, b) => compareTexts(a.name, b.name))
}

/** Of workspaces that an address names, those that this user does not see; they may not exist at all. */
export const unknownWorkspaces = (home: Home, named: readonly string[]): readonly string[] => {
  const known = new Set(home.workspaces.map(({ name }) => name))
  return named.filter((name) => !known.has(name))
}

/** Whether a name holds what is searched for, case and accents aside. */
export const hasWords = (name: string, words: string): boolean => plainOf(name).includes(plainOf(words.trim()))

export const filterRows = (rows: readonly Row[], words: string, workspaces: readonly string[]): readonly Row[] =>
  rows.filter(
    ({ dataset, workspace }) => (workspaces.length === 0 || workspaces.includes(workspace)) && hasWords(dataset.name, words),
  )

const time = (text: string): number => parseWireTime(text).getTime()

const comparisons: { readonly [K in HomeSort['key']]: (a: Row, b: Row) => number } = {
  name: (a, b) => compareTexts(a.dataset.name, b.dataset.name),
  updatedAt: (a, b) => time(a.dataset.last_activity_at) - time(b.dataset.last_activity_at),
  createdAt: (a, b) => time(a.dataset.inserted_at) - time(b.dataset.inserted_at),
}

export const sortRows = (rows: readonly Row[], { key, order }: HomeSort): readonly Row[] => {
  const direction = order === 'asc' ? 1 : -1
  return [...rows].sort((a, b) => direction * comparisons[key](a, b))
}

/** What the user can answer now, drafts of theirs included. */
const waits = ({ dataset, metrics }: Row): boolean => dataset.status === 'ready' && metrics.left + metrics.draft > 0

/** What waits for this user, then the rest, each in the order given. */
export const splitRows = (rows: readonly Row[]): { readonly waiting: readonly Row[]; readonly others: readonly Row[] } => ({
  waiting: rows.filter(waits),
  others: rows.filter((row) => !waits(row)),
})
