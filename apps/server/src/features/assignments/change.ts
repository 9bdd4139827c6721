import type { Micros } from '#platform/time.ts'
import type { Assignment } from './rows.ts'

/** A change to assignments. Each step of its job applies it to some records. */
export type Change =
  | {
      readonly do: 'assign'
      readonly to: readonly string[]
      readonly due_at: Micros | null
      /** Whether the current assignees lose the record. */
      readonly replace: boolean
    }
  /** `from`: null for everyone. */
  | { readonly do: 'unassign'; readonly from: readonly string[] | null }
  | { readonly do: 'move'; readonly from: string; readonly to: readonly string[] }

/** A record to change. `person`: the position in `to` of the person who gets the record; null for everyone in `to`. */
export type Item = { readonly seq: number; readonly person: number | null }

/** Maximum number of new assignments per step. Small, so that other writers aren't delayed. */
const ROWS_PER_PART = 250

/**
 * Divides the records into steps and returns each step in stored form. If each record is assigned to several people, a step
 * contains fewer records.
 */
export const printParts = (change: Change, items: readonly Item[]): readonly string[] => {
  const isForEveryone = items[0]?.person === null
  const people = change.do !== 'unassign' && isForEveryone ? Math.max(1, change.to.length) : 1
  const size = Math.max(1, Math.floor(ROWS_PER_PART / people))
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items
      .slice(i * size, (i + 1) * size)
      .map(({ seq, person }) => (person === null ? `${seq}` : `${seq}:${person}`))
      .join(','),
  )
}

export const parsePart = (records: string): readonly Item[] =>
  records.split(',').map((item) => {
    const [seq, person] = item.split(':')
    return { seq: Number(seq), person: person === undefined ? null : Number(person) }
  })

/**
 * Splits records evenly among people: the numbers of records per person differ by at most one. The same records and people are
 * always split in the same way. @param seqs in ascending order
 */
export const splitEvenly = (seqs: readonly number[], people: number): readonly Item[] =>
  seqs.map((seq, i) => ({ seq, person: people === 0 ? null : i % people }))

/** Who makes the change, and when. */
type Author = { readonly by: string; readonly at: Micros }

const recipients = (to: readonly string[], { person }: Item): readonly string[] =>
  person === null ? to : to.slice(person, person + 1)

/** The assignments of a record after a change. Returns `before` itself if the change doesn't affect the record. */
export const applyChange = (
  change: Change,
  item: Item,
  before: readonly Assignment[],
  { by, at }: Author,
): readonly Assignment[] => {
  const made = (user_id: string, due_at: Micros | null): Assignment => ({ user_id, due_at, assigned_by: by, assigned_at: at })
  if (change.do === 'unassign') {
    const kept = before.filter(({ user_id }) => change.from !== null && !change.from.includes(user_id))
    return kept.length === before.length ? before : kept
  }
  if (change.do === 'move') {
    const moved = before.find(({ user_id }) => user_id === change.from)
    if (moved === undefined) return before
    const others = before.filter((one) => one !== moved)
    const added = recipients(change.to, item).filter((id) => others.every(({ user_id }) => user_id !== id))
    return [...others, ...added.map((id) => made(id, moved.due_at))]
  }
  const { due_at, replace } = change
  const wanted = recipients(change.to, item)
  const isSame = (one: Assignment) => wanted.includes(one.user_id) && one.due_at === due_at
  const kept = before.filter((one) => isSame(one) || !(replace || wanted.includes(one.user_id)))
  const added = wanted.filter((id) => kept.every(({ user_id }) => user_id !== id))
  return kept.length === before.length && added.length === 0 ? before : [...kept, ...added.map((id) => made(id, due_at))]
}
