import { isJsonObject } from '@postil/contract/wire/json.ts'
import { unfolded } from '../foreign/values.ts'
import type { SourceRow } from '../inspect/layout.ts'

/** Maximum number of keys of an object whose values become separate columns. In larger objects, the keys are usually data. */
const MAX_KEYS = 50

const isNested = (value: unknown): boolean => {
  if (!isJsonObject(value)) return false
  const { length } = Object.keys(value)
  return length > 0 && length <= MAX_KEYS
}

export const hasNested = (row: SourceRow): boolean => 'values' in row && [...row.values.values()].some(isNested)

/** Adds the values of a row's nested objects as separate columns, such as `meta.source`. The columns of the objects remain. */
export const withPaths = (row: SourceRow): SourceRow => {
  if (!('values' in row) || !hasNested(row)) return row
  const values = new Map<string, unknown>()
  for (const [name, value] of row.values) {
    values.set(name, value)
    if (!isNested(value) || !isJsonObject(value)) continue
    for (const [path, inner] of unfolded(value, `${name}.`)) if (!row.values.has(path)) values.set(path, inner)
  }
  return { ...row, values }
}
