import type { Edit } from '#lib/drafts/edit.ts'
import type { Disk, LinesByRecord, LineUpdate, LineUpdates } from './disk.ts'
import { keyText } from './disk.ts'
import type { OutboxLine } from './types.ts'

/**
 * A record whose line couldn't be written to the disk. `updates`: the updates that are not on the disk. `line`: the line after
 * these updates.
 */
type Held = {
  readonly userId: string
  readonly recordId: string
  readonly updates: readonly LineUpdate[]
  readonly line: OutboxLine | null
}

const replay =
  (updates: readonly LineUpdate[]): LineUpdate =>
  (line) =>
    updates.reduce<OutboxLine | null>((before, update) => update(before), line)

/**
 * Creates the collection of this tab's lines. It also holds lines that couldn't be written to the disk. When the disk accepts
 * writes again, their changes are applied to the lines that are on the disk by then, because another tab may have written there.
 */
export const createHeldLines = (disk: Disk) => {
  /** Lines as last stored on the disk. */
  const stored = new Map<string, OutboxLine>()
  const held = new Map<string, Held>()

  const lineAt = (key: string): OutboxLine | null => held.get(key)?.line ?? (held.has(key) ? null : (stored.get(key) ?? null))

  const isMemoryOnly = (key: string): boolean => {
    const newest = held.get(key)?.line?.entries.at(-1)
    return newest !== undefined && !stored.get(key)?.entries.some(({ mutation_id }) => mutation_id === newest.mutation_id)
  }

  const store = (key: string, line: OutboxLine | null): void => {
    if (line) stored.set(key, line)
    else stored.delete(key)
  }

  const hold = (userId: string, recordId: string, updates: readonly LineUpdate[], line: OutboxLine | null): void => {
    const key = keyText(userId, recordId)
    // A finished line that was never on the disk needs no write.
    if (!line && !stored.has(key)) held.delete(key)
    else held.set(key, { userId, recordId, updates, line })
  }

  const visible = (userId: string): readonly OutboxLine[] => {
    const storedLines = [...stored].flatMap(([key, line]) => (line.user_id === userId && !held.has(key) ? [line] : []))
    return [...storedLines, ...[...held.values()].flatMap(({ line }) => (line?.user_id === userId ? [line] : []))]
  }

  const change = async (userId: string, updates: LineUpdates, edits?: readonly Edit[]): Promise<LinesByRecord> => {
    const all = [...updates].map(([recordId, update]): readonly [string, LineUpdate] => {
      const before = held.get(keyText(userId, recordId))?.updates ?? []
      return [recordId, replay([...before, update])]
    })
    const lines = await disk.updateLines(userId, new Map(all), edits)
    for (const [recordId, line] of lines) {
      const key = keyText(userId, recordId)
      held.delete(key)
      store(key, line)
    }
    return lines
  }

  return {
    keys: (): readonly string[] => [...held.keys()],
    isMemoryOnly,
    memoryOnlyRecords: (): readonly string[] => [...held].flatMap(([key, { recordId }]) => (isMemoryOnly(key) ? [recordId] : [])),
    /** Returns the lines as this tab last saw them. */
    visible,
    read: async (userId: string): Promise<readonly OutboxLine[]> => {
      const lines = await disk.lines(userId)
      for (const [key, line] of stored) if (line.user_id === userId) stored.delete(key)
      for (const line of lines) store(keyText(line.user_id, line.record_id), line)
      for (const [key, { recordId, updates, ...one }] of held) {
        if (one.userId === userId) hold(userId, recordId, updates, replay(updates)(stored.get(key) ?? null))
      }
      return visible(userId)
    },
    change,
    /** Applies the steps in memory. */
    changeInMemory: (userId: string, updates: LineUpdates): LinesByRecord =>
      new Map(
        [...updates].map(([recordId, update]) => {
          const key = keyText(userId, recordId)
          const line = update(lineAt(key))
          hold(userId, recordId, [...(held.get(key)?.updates ?? []), update], line)
          return [recordId, line]
        }),
      ),
    /** Retries writing one of the refused lines to the disk. */
    retry: async (key: string): Promise<void> => {
      const one = held.get(key)
      if (one) await change(one.userId, new Map([[one.recordId, (line) => line]]))
    },
  }
}
