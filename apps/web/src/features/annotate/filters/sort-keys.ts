import type { SortKey } from '@postil/contract/annotation-query/grammar.ts'
import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { Question } from '@postil/contract/questions.ts'
import { questionSlice } from '#question-types/registry.ts'

export type SortGroup = {
  readonly id: 'general' | 'suggestionScore' | 'suggestionValue' | 'responseValue' | 'metadata'
  readonly keys: readonly SortKey[]
}

/** The maximum number of sort keys that the API accepts. */
export const maxSortKeys = 10

/** Returns a new sort key, in ascending order. */
const key = (entity: SortKey['entity'], name: string, property: SortKey['property'] = null): SortKey => ({
  entity,
  name,
  property,
  order: 'asc',
})

const isNumber = ({ settings }: Question): boolean => questionSlice(settings).valueFilter?.(settings).by === 'range'

type Sortable = {
  readonly questions: readonly Question[]
  readonly properties: readonly MetadataProperty[]
  /** Whether the user can sort by suggestions. */
  readonly seesSuggestions: boolean
}

/** Returns all available sort keys in groups. Empty groups are left out. */
export const sortGroups = ({ questions, properties, seesSuggestions }: Sortable): readonly SortGroup[] => {
  const numbers = questions.filter(isNumber)
  const suggested = seesSuggestions ? questions : []
  const groups: readonly SortGroup[] = [
    { id: 'general', keys: [key('record', 'inserted_at'), key('record', 'updated_at')] },
    { id: 'suggestionScore', keys: suggested.map(({ name }) => key('suggestion', name, 'score')) },
    { id: 'suggestionValue', keys: suggested.filter(isNumber).map(({ name }) => key('suggestion', name, 'value')) },
    { id: 'responseValue', keys: numbers.map(({ name }) => key('response', name, 'value')) },
    { id: 'metadata', keys: properties.map(({ name }) => key('metadata', name)) },
  ]
  return groups.filter(({ keys }) => keys.length > 0)
}

/**
 * Returns an ID for the value that a key sorts by. Ascending and descending keys have the same ID. Old links can omit `property`,
 * which then defaults to `value`.
 */
export const sortId = ({ entity, name, property }: SortKey): string => {
  const isOfQuestion = entity === 'suggestion' || entity === 'response'
  return JSON.stringify([entity, name, isOfQuestion ? (property ?? 'value') : null])
}

/** Returns the groups without the sort keys that are already in use. */
export const unusedGroups = (groups: readonly SortGroup[], used: readonly SortKey[]): readonly SortGroup[] => {
  const ids = new Set(used.map(sortId))
  return groups
    .map((group) => ({ ...group, keys: group.keys.filter((one) => !ids.has(sortId(one))) }))
    .filter(({ keys }) => keys.length > 0)
}

export const reverseOrder = (keys: readonly SortKey[], at: number): readonly SortKey[] =>
  keys.map((one, index) => (index === at ? { ...one, order: one.order === 'asc' ? 'desc' : 'asc' } : one))
