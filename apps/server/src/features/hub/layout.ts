import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'

export type HubTarget = { readonly name: string; readonly subset: string; readonly split: string; readonly private: boolean }

const DEFAULT = 'default'
const folderOf = (subset: string): string => (subset === DEFAULT ? 'data' : subset)

/** The path at which the Hub's library looks for the file of a subset and split. */
export const fileOf = ({ subset, split }: HubTarget): string => `${folderOf(subset)}/${split}-00000-of-00001.parquet`

/** @throws OutgoingFault for names that the Hub's library couldn't read back */
export const checkTarget = ({ subset, split }: HubTarget): void => {
  if (!/^\w+(\.\w+)*$/.test(split) || split.length > 100) {
    throw new OutgoingFault(
      `${JSON.stringify(split.slice(0, 100))} is not a valid split name. Use only letters, digits, _ and .`,
      false,
    )
  }
  if (!/^[\w.-]+( [\w.-]+)*$/.test(subset) || subset.length > 100 || /^\.|^data$/.test(subset)) {
    const form = 'Use only letters, digits, _, - and ., do not start with ".", and do not use "data"'
    throw new OutgoingFault(`${JSON.stringify(subset.slice(0, 100))} is not a valid subset name. ${form}`, false)
  }
}

const PART = /^([^/]+)\/([\w.]+)-\d{5}-of-\d{5}(?:-[0-9a-f]+)?\.parquet$/

/** Files left by an earlier push of the same subset and split. */
export const replaced = (paths: readonly string[], target: HubTarget): readonly string[] =>
  paths.filter((path) => {
    const [, folder, split] = PART.exec(path) ?? []
    return folder === folderOf(target.subset) && split === target.split && path !== fileOf(target)
  })

export type Subset = { readonly name: string; readonly splits: readonly string[] }

/**
 * Returns the subsets and splits that the repository will have after the push. @param paths the paths of the repository's files
 * before the push
 */
export const subsetsOf = (paths: readonly string[], target: HubTarget): readonly Subset[] => {
  const found = new Map<string, Set<string>>()
  for (const path of [...paths, fileOf(target)]) {
    const [, folder = '', split = ''] = PART.exec(path) ?? []
    if (folder === '') continue
    const name = folder === 'data' ? DEFAULT : folder
    found.set(name, (found.get(name) ?? new Set()).add(split))
  }
  return [...found].map(([name, splits]) => ({ name, splits: [...splits] }))
}

/** The path pattern of a split's files, for the repository card. */
export const patternOf = (subset: string, split: string): string => `${folderOf(subset)}/${split}-*`
