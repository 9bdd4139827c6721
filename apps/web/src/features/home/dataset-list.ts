import type { Home, HomeDataset } from '@postil/contract/home.ts'
import { compareTexts, parseWireTime } from '#i18n/format.ts'
import { withoutAccents } from '#lib/text/without-accents.ts'
import type { HomeSort } from '#lib/url/home-search.ts'

export type Row = HomeDataset & { readonly workspace: string }
export type WorkspaceCount = { readonly name: string; readonly datasets: number }

/**
 * An item of a list that is stored on the device. An earlier version of the web app may have stored it without some properties.
 */
type CacheEntry = Omit<HomeDataset, 'answered_by'> & Partial<HomeDataset>

export const rowsOf = (home: Home): readonly Row[] => {
  const names = new Map(home.workspaces.map(({ id, name }) => [id, name]))
  const datasets: readonly CacheEntry[] = home.datasets
  return datasets.map((item) => ({
    ...item,
    answered_by: item.answered_by ?? { usernames: [], total: 0 },
    workspace: names.get(item.dataset.workspace_id) ?? '',
  }))
}

export const workspaceCounts = (home: Home): readonly WorkspaceCount[] => {
  const counts = new Map<string, number>()
  for (const { dataset } of home.datasets) counts.set(dataset.workspace_id, (counts.get(dataset.workspace_id) ?? 0) + 1)
  return home.workspaces
    .map(({ id, name }) => ({ name, datasets: counts.get(id) ?? 0 }))
    .sort((a, b) => compareTexts(a.name, b.name))
}

/** Returns the named workspaces that this user can't see or that don't exist. */
export const unknownWorkspaces = (home: Home, named: readonly string[]): readonly string[] => {
  const known = new Set(home.workspaces.map(({ name }) => name))
  return named.filter((name) => !known.has(name))
}

/** Whether a name contains the search text, ignoring case and accents. */
export const matchesText = (name: string, words: string): boolean => withoutAccents(name).includes(withoutAccents(words.trim()))

export const filterRows = (rows: readonly Row[], words: string, workspaces: readonly string[]): readonly Row[] =>
  rows.filter(
    ({ dataset, workspace }) => (workspaces.length === 0 || workspaces.includes(workspace)) && matchesText(dataset.name, words),
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

/** Whether the dataset has records that the user can answer now. Records with the user's drafts count too. */
const hasPending = ({ dataset, metrics }: Row): boolean => dataset.status === 'ready' && metrics.left + metrics.draft > 0

/** Splits the rows into those with work for this user and the rest. Both keep the given order. */
export const splitRows = (rows: readonly Row[]): { readonly pending: readonly Row[]; readonly rest: readonly Row[] } => ({
  pending: rows.filter(hasPending),
  rest: rows.filter((row) => !hasPending(row)),
})
