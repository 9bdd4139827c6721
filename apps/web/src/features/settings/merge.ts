import { jsonEquals } from '@postil/contract/wire/json.ts'

type Keyed = { readonly [key: string]: unknown }
type Labelled = Keyed & { readonly value: string }

const isKeyed = (value: unknown): value is Keyed => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Options are identified by their values, which never change. */
const isOptions = (list: unknown): list is readonly Labelled[] =>
  Array.isArray(list) && list.every((item) => isKeyed(item) && typeof item['value'] === 'string')

const own = (object: Keyed, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

const mergedKeys = (base: Keyed, mine: Keyed, theirs: Keyed): Keyed =>
  Object.fromEntries(
    [...new Set([...Object.keys(theirs), ...Object.keys(mine)])]
      .map((key) => [key, merged(own(base, key), own(mine, key), own(theirs, key))] as const)
      .filter(([, value]) => value !== undefined),
  )

const valuesOf = (options: readonly Labelled[]): readonly string[] => options.map(({ value }) => value)

const byValue = (options: readonly Labelled[]): Keyed => Object.fromEntries(options.map((option) => [option.value, option]))

/** Merges options by value. If the user changed the order of the options, the user's order is kept. */
const mergedOptions = (base: readonly Labelled[], mine: readonly Labelled[], theirs: readonly Labelled[]): unknown => {
  const order = merged(valuesOf(base), valuesOf(mine), valuesOf(theirs)) as readonly string[]
  const find = (options: readonly Labelled[], value: string) => options.find((option) => option.value === value)
  return order.map((value) => merged(find(base, value), find(mine, value), find(theirs, value)))
}

const merged = (base: unknown, mine: unknown, theirs: unknown): unknown => {
  if (jsonEquals(base, mine)) return theirs
  if (jsonEquals(base, theirs)) return mine
  if (isKeyed(base) && isKeyed(mine) && isKeyed(theirs)) return mergedKeys(base, mine, theirs)
  if (isOptions(base) && isOptions(mine) && isOptions(theirs)) return mergedOptions(base, mine, theirs)
  return mine
}

/**
 * Merges a user's change into the stored value. Parts that the user didn't change keep the stored value.
 * @param base the value that the change started from
 * @param theirs the current stored value
 */
export const merge = <T>(base: T, mine: T, theirs: T): T => merged(base, mine, theirs) as T

/** The path to a conflict in a value. Properties are identified by their keys, and options by their values. */
export type Path = readonly string[]
export type Conflict = { readonly path: Path; readonly mine: unknown; readonly theirs: unknown }

const isEither = (base: unknown, mine: unknown, theirs: unknown): boolean =>
  jsonEquals(base, mine) || jsonEquals(base, theirs) || jsonEquals(mine, theirs)

const keysOf = (...objects: readonly Keyed[]): readonly string[] => [...new Set(objects.flatMap(Object.keys))]

/** Returns the changes that others have made since `base` and that the user would overwrite. */
export const conflictsOf = (base: unknown, mine: unknown, theirs: unknown, path: Path = []): readonly Conflict[] => {
  if (isEither(base, mine, theirs)) return []
  if (isKeyed(base) && isKeyed(mine) && isKeyed(theirs))
    return keysOf(theirs, mine).flatMap((key) => conflictsOf(own(base, key), own(mine, key), own(theirs, key), [...path, key]))
  if (isOptions(base) && isOptions(mine) && isOptions(theirs)) {
    const order = conflictsOf(valuesOf(base), valuesOf(mine), valuesOf(theirs), path)
    return [...order, ...conflictsOf(byValue(base), byValue(mine), byValue(theirs), path)]
  }
  return [{ path, mine, theirs }]
}

/**
 * Returns the base with which the user's unsaved value is compared from now on. The base is `theirs`, because the user now sees
 * it. Parts with a conflict keep the old base, so that they are still reported as conflicts.
 */
export const baseOf = <T>(base: T, mine: T, theirs: T): T => based(base, mine, theirs) as T

const based = (base: unknown, mine: unknown, theirs: unknown): unknown => {
  if (isEither(base, mine, theirs)) return theirs
  if (isKeyed(base) && isKeyed(mine) && isKeyed(theirs))
    return Object.fromEntries(
      keysOf(theirs, mine)
        .map((key) => [key, based(own(base, key), own(mine, key), own(theirs, key))] as const)
        .filter(([, value]) => value !== undefined),
    )
  if (isOptions(base) && isOptions(mine) && isOptions(theirs)) {
    const order = based(valuesOf(base), valuesOf(mine), valuesOf(theirs)) as readonly string[]
    const options = based(byValue(base), byValue(mine), byValue(theirs)) as Keyed
    return order.map((value) => options[value])
  }
  return base
}

/**
 * Returns the properties whose values differ from the stored ones. Only these properties are sent, because other users may have
 * changed the rest.
 */
export const changesOf = <T extends object>(stored: T, value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([key, one]) => !jsonEquals(one, stored[key as keyof T]))) as Partial<T>
