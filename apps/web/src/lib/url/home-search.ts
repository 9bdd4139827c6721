import type { Order } from '@postil/contract/annotation-query/grammar.ts'

export type HomeSort = { readonly key: 'name' | 'updatedAt' | 'createdAt'; readonly order: Order }
/** `?workspaces=a,b&search=text&sort=name.asc`. Keys with default values are left out. */
export type HomeSearch = { readonly workspaces?: string; readonly search?: string; readonly sort?: string }

const keys: readonly HomeSort['key'][] = ['name', 'updatedAt', 'createdAt']
const defaultHomeSort: HomeSort = { key: 'updatedAt', order: 'desc' }

export const validateHomeSearch = (raw: { readonly [key: string]: unknown }): HomeSearch =>
  Object.fromEntries(
    (['workspaces', 'search', 'sort'] as const).flatMap((key) => {
      const value = raw[key]
      return typeof value === 'string' && value !== '' ? [[key, value]] : []
    }),
  )

export const readHomeSort = (text: string | undefined): HomeSort => {
  const [word, order] = (text ?? '').split('.')
  const key = keys.find((known) => known === word)
  return key && (order === 'asc' || order === 'desc') ? { key, order } : defaultHomeSort
}

export const printHomeSort = ({ key, order }: HomeSort): string =>
  key === defaultHomeSort.key && order === defaultHomeSort.order ? '' : `${key}.${order}`

/** Workspace names contain no comma (`[a-zA-Z0-9_-]`), so a comma can separate them. */
export const readWorkspaces = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').filter((name) => name !== '')
export const printWorkspaces = (names: readonly string[]): string => names.join(',')
