import type { Base, Change, Entry, Line, StandingAnswer, Trouble } from './types.ts'

/** Pure steps of a line. Each gives the line after the step, or null when nothing is left to send. */

type Place = Pick<Line, 'user_id' | 'dataset_id' | 'record_id'>

const withEntries = (line: Line, entries: readonly Entry[]): Line | null =>
  entries.length === 0 || isNothing(line.base, entries) ? null : { ...line, entries }

/** Taking back an answer that the server never got. */
const isNothing = (base: Base, entries: readonly Entry[]): boolean =>
  base === null && entries.length === 1 && entries[0]?.change.kind === 'remove' && !entries[0].attempted

/**
 * Adds a change. What was never tried before it is dropped: only the latest state matters. `base` counts for a new line only;
 * later entries build upon the ones before. A change that follows a refused or contested one takes its place.
 */
export const added = (line: Line | null, place: Place, base: Base, entry: Entry): Line | null => {
  if (!line) return withEntries({ ...place, base, entries: [], trouble: null }, [entry])
  if (line.trouble?.kind === 'conflict') return { ...line, entries: [entry] }
  if (line.trouble?.kind === 'refused') return withEntries({ ...line, trouble: null }, [entry])
  return withEntries(line, [...line.entries.filter((earlier) => earlier.attempted), entry])
}

/** The entry to send now; null while a person has to decide something first. */
export const nextEntry = (line: Line): Entry | null => (line.trouble ? null : (line.entries[0] ?? null))

export const attempted = (line: Line | null, mutationId: string): Line | null =>
  line && {
    ...line,
    entries: line.entries.map((entry) => (entry.mutation_id === mutationId ? { ...entry, attempted: true } : entry)),
  }

const isFirst = (line: Line, mutationId: string): boolean => line.entries[0]?.mutation_id === mutationId

const baseOf = (standing: StandingAnswer | null): Base => standing?.version ?? null

/** The server has done an entry; `standing` is what it now has, null after a removal. Other tabs may have said so before. */
export const confirmed = (line: Line | null, mutationId: string, standing: StandingAnswer | null): Line | null =>
  line && isFirst(line, mutationId) ? withEntries({ ...line, base: baseOf(standing) }, line.entries.slice(1)) : line

/** The server will not take an entry. Where a later one follows, that one is what the person wants, and it is sent. */
export const refused = (line: Line | null, mutationId: string, status: number, reason: string | null): Line | null => {
  if (!line || !isFirst(line, mutationId)) return line
  const later = line.entries.slice(1)
  return later.length > 0 ? withEntries(line, later) : { ...line, trouble: { kind: 'refused', status, reason } }
}

const sameAnswer = (change: Change, standing: StandingAnswer | null): boolean =>
  change.kind === 'remove'
    ? standing === null
    : standing !== null && standing.status === change.status && sameJson(standing.values, change.values)

/** The server has another answer than the one that the entry is built upon. Only the last entry is still of interest. */
export const contested = (line: Line | null, mutationId: string, standing: StandingAnswer | null): Line | null => {
  const last = line?.entries.at(-1)
  if (!line || !last || !isFirst(line, mutationId)) return line
  if (sameAnswer(last.change, standing)) return null
  const trouble: Trouble = { kind: 'conflict', standing }
  return { ...line, entries: [last], trouble }
}

/** Settles a conflict for this person's own answer: it is built upon the one that stands, under a new name. */
export const keptMine = (line: Line | null, mutationId: string): Line | null => {
  const last = line?.entries.at(-1)
  if (!line || !last || line.trouble?.kind !== 'conflict') return line
  const entry = { ...last, mutation_id: mutationId, attempted: false }
  return withEntries({ ...line, base: baseOf(line.trouble.standing), trouble: null }, [entry])
}

/** Gives up what was not taken: after a refusal, or for the answer that stands. */
export const givenUp = (line: Line | null): Line | null => (line?.trouble ? null : line)

/** Compares without regard to the order of keys. */
const sameJson = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b))
    return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
