import { maxActiveMs } from '@postil/contract/wire/limits.ts'
import type { AnswerIssue, BaseVersion, Change, Mutation, OutboxLine, Rejection, ServerAnswer } from './types.ts'

/**
 * The functions in this file change a line of the outbox. They are pure: each returns the changed line, or null if nothing is
 * left to send.
 */

type Place = Pick<OutboxLine, 'user_id' | 'dataset_id' | 'record_id'>

const withEntries = (line: OutboxLine, entries: readonly Mutation[]): OutboxLine | null =>
  entries.length === 0 || isNoOp(line.base, entries) ? null : { ...line, entries }

/** Whether the only change removes an answer that the server never received. */
const isNoOp = (base: BaseVersion, entries: readonly Mutation[]): boolean =>
  base === null && entries.length === 1 && entries[0]?.change.kind === 'remove' && !entries[0].attempted

/**
 * Adds the active time of earlier changes to the active time of a change. The earlier changes won't be sent, so their time would
 * otherwise be lost.
 */
const withTimeOf = (entry: Mutation, unsent: readonly Mutation[]): Mutation => {
  const times = [entry, ...unsent].flatMap(({ active_ms }) => active_ms ?? [])
  return times.length === 0 ? entry : { ...entry, active_ms: Math.min(maxActiveMs, sumOf(times)) }
}
const sumOf = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

export const activeMsIn = ({ entries }: OutboxLine): number => sumOf(entries.map(({ active_ms = 0 }) => active_ms))

/**
 * Adds a change. Drops earlier changes that were never sent, because only the latest state matters. `base` is used only for a new
 * line. In an existing line, each entry is based on the previous one. After a rejection or conflict, the change replaces the
 * affected entry.
 */
export const addMutation = (line: OutboxLine | null, place: Place, base: BaseVersion, entry: Mutation): OutboxLine | null => {
  if (!line) return withEntries({ ...place, base, entries: [], issue: null }, [entry])
  if (line.issue?.kind === 'conflict') return { ...line, entries: [withTimeOf(entry, line.entries)] }
  if (line.issue?.kind === 'rejected') return withEntries({ ...line, issue: null }, [withTimeOf(entry, line.entries)])
  const { sent = [], unsent = [] } = Object.groupBy(line.entries, ({ attempted }) => (attempted ? 'sent' : 'unsent'))
  return withEntries(line, [...sent, withTimeOf(entry, unsent)])
}

/** Returns the entry to send now. Returns null if there is none, or if a rejection or conflict needs a decision. */
export const nextMutation = (line: OutboxLine): Mutation | null => (line.issue ? null : (line.entries[0] ?? null))

export const markAttempted = (line: OutboxLine | null, mutationId: string): OutboxLine | null =>
  line && {
    ...line,
    entries: line.entries.map((entry) => (entry.mutation_id === mutationId ? { ...entry, attempted: true } : entry)),
  }

const isFirst = (line: OutboxLine, mutationId: string): boolean => line.entries[0]?.mutation_id === mutationId

const baseOf = (standing: ServerAnswer | null): BaseVersion => standing?.version ?? null

/**
 * Removes an entry that the server has processed. `standing` is the server's current answer, or null if the answer was removed.
 * Another tab may already have removed the entry.
 */
export const confirmMutation = (line: OutboxLine | null, mutationId: string, standing: ServerAnswer | null): OutboxLine | null =>
  line && isFirst(line, mutationId) ? withEntries({ ...line, base: baseOf(standing) }, line.entries.slice(1)) : line

/** Handles an entry that the server rejects. If there is a later entry, that entry replaces the rejected one and is sent. */
export const rejectMutation = (line: OutboxLine | null, mutationId: string, rejection: Rejection): OutboxLine | null => {
  if (!line || !isFirst(line, mutationId)) return line
  const [rejected, next, ...later] = line.entries
  return rejected && next ? withEntries(line, [withTimeOf(next, [rejected]), ...later]) : { ...line, issue: rejection }
}

const isSameAnswer = (change: Change, standing: ServerAnswer | null): boolean =>
  change.kind === 'remove'
    ? standing === null
    : standing !== null && standing.status === change.status && isSameJson(standing.values, change.values)

/**
 * Handles a conflict: the server's answer differs from the version on which the entry is based. Keeps only the last entry,
 * because it contains the user's latest answer. Returns null if the server already has this answer.
 */
export const markConflict = (line: OutboxLine | null, mutationId: string, standing: ServerAnswer | null): OutboxLine | null => {
  const last = line?.entries.at(-1)
  if (!line || !last || !isFirst(line, mutationId)) return line
  if (isSameAnswer(last.change, standing)) return null
  const issue: AnswerIssue = { kind: 'conflict', standing }
  return { ...line, entries: [withTimeOf(last, line.entries.slice(0, -1))], issue }
}

/**
 * Resolves a conflict in favor of the user's answer. The answer is now based on the server's answer and gets a new mutation ID.
 */
export const keepMine = (line: OutboxLine | null, mutationId: string): OutboxLine | null => {
  const last = line?.entries.at(-1)
  if (!line || !last || line.issue?.kind !== 'conflict') return line
  const entry = { ...last, mutation_id: mutationId, attempted: false }
  return withEntries({ ...line, base: baseOf(line.issue.standing), issue: null }, [entry])
}

/** Drops an answer that was rejected or has a conflict. */
export const dropAnswer = (line: OutboxLine | null): OutboxLine | null => (line?.issue ? null : line)

/** Compares values, ignoring the order of keys. */
const isSameJson = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b))
    return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
