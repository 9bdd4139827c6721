import type { Edit } from '#lib/drafts/edit.ts'
import type { Disk, LinesByRecord, Step, Steps } from './disk.ts'
import { keyText } from './disk.ts'
import type { Line } from './types.ts'

/** What was done to a record's line since the disk refused it, and the line after that. */
type Held = { readonly userId: string; readonly recordId: string; readonly steps: readonly Step[]; readonly line: Line | null }

const replayed =
  (steps: readonly Step[]): Step =>
  (line) =>
    steps.reduce<Line | null>((before, step) => step(before), line)

/**
 * The lines that this tab has, some of which the disk has refused. What was done to those is done again, step by step, to what is
 * on the disk when it takes them: another tab may have gone on with it meanwhile.
 */
export const createHeldLines = (disk: Disk) => {
  /** Lines as the disk had them last. */
  const stored = new Map<string, Line>()
  const held = new Map<string, Held>()

  const lineAt = (key: string): Line | null => held.get(key)?.line ?? (held.has(key) ? null : (stored.get(key) ?? null))

  const isOnlyHere = (key: string): boolean => {
    const newest = held.get(key)?.line?.entries.at(-1)
    return newest !== undefined && !stored.get(key)?.entries.some(({ mutation_id }) => mutation_id === newest.mutation_id)
  }

  const store = (key: string, line: Line | null): void => {
    if (line) stored.set(key, line)
    else stored.delete(key)
  }

  const hold = (userId: string, recordId: string, steps: readonly Step[], line: Line | null): void => {
    const key = keyText(userId, recordId)
    // What the disk never had, and is done, is nothing to it.
    if (!line && !stored.has(key)) held.delete(key)
    else held.set(key, { userId, recordId, steps, line })
  }

  const visible = (userId: string): readonly Line[] => {
    const kept = [...stored].flatMap(([key, line]) => (line.user_id === userId && !held.has(key) ? [line] : []))
    return [...kept, ...[...held.values()].flatMap(({ line }) => (line?.user_id === userId ? [line] : []))]
  }

  const change = async (userId: string, steps: Steps, edits?: readonly Edit[]): Promise<LinesByRecord> => {
    const all = [...steps].map(([recordId, step]): readonly [string, Step] => {
      const before = held.get(keyText(userId, recordId))?.steps ?? []
      return [recordId, replayed([...before, step])]
    })
    const lines = await disk.changeLines(userId, new Map(all), edits)
    for (const [recordId, line] of lines) {
      const key = keyText(userId, recordId)
      held.delete(key)
      store(key, line)
    }
    return lines
  }

  return {
    keys: (): readonly string[] => [...held.keys()],
    isOnlyHere,
    recordsOnlyHere: (): readonly string[] => [...held].flatMap(([key, { recordId }]) => (isOnlyHere(key) ? [recordId] : [])),
    /** As far as this tab knows. */
    visible,
    read: async (userId: string): Promise<readonly Line[]> => {
      const lines = await disk.lines(userId)
      for (const [key, line] of stored) if (line.user_id === userId) stored.delete(key)
      for (const line of lines) store(keyText(line.user_id, line.record_id), line)
      for (const [key, { recordId, steps, ...one }] of held) {
        if (one.userId === userId) hold(userId, recordId, steps, replayed(steps)(stored.get(key) ?? null))
      }
      return visible(userId)
    },
    change,
    /** Goes on in memory. */
    changeHere: (userId: string, steps: Steps): LinesByRecord =>
      new Map(
        [...steps].map(([recordId, step]) => {
          const key = keyText(userId, recordId)
          const line = step(lineAt(key))
          hold(userId, recordId, [...(held.get(key)?.steps ?? []), step], line)
          return [recordId, line]
        }),
      ),
    /** Offers one of them to the disk once more. */
    offer: async (key: string): Promise<void> => {
      const one = held.get(key)
      if (one) await change(one.userId, new Map([[one.recordId, (line) => line]]))
    },
  }
}
