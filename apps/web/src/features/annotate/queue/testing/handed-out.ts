import { createLeasedQueue, type LeasedQueue } from '../leased-queue.ts'
import { recordWith, standingOf } from './record.ts'

export const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `r${String(i).padStart(3, '0')}`)

/** A server that hands each record to one person, and browsers whose answers reach it late. */
export const setUp = (count: number) => {
  const done = new Set<string>()
  const holders = new Map<string, LeasedQueue | 'somebody'>()
  let isDown = false
  let onTheWay: (() => Promise<void>) | null = null
  const open = () => names(count).filter((id) => !done.has(id))
  const join = () => {
    const unsent = new Set<string>()
    const edited = new Set<string>()
    const found = (limit: number, exclude: readonly string[]) => {
      const mine = open().filter((id) => (holders.get(id) ?? queue) === queue)
      const wanted = mine.filter((id) => !exclude.includes(id))
      const held = wanted.filter((id) => holders.get(id) === queue)
      const ids = [...held, ...wanted.filter((id) => !held.includes(id))].slice(0, limit)
      for (const id of ids) holders.set(id, queue)
      return { records: ids.map(recordWith), left: mine.length, closed: exclude.filter((id) => !mine.includes(id)) }
    }
    const queue: LeasedQueue = createLeasedQueue({
      take: async ({ limit, exclude }) => {
        await Promise.resolve()
        if (isDown) throw new Error('down')
        const answer = found(limit, exclude)
        // What was found is on its way while other things happen.
        await onTheWay?.()
        return answer
      },
      giveBack: (ids) => {
        for (const id of ids) if (holders.get(id) === queue) holders.delete(id)
      },
      statusOf: ({ record, standing }) => (unsent.has(record.id) ? 'submitted' : (standing?.status ?? 'pending')),
      isEdited: (id) => edited.has(id),
    })
    return {
      queue,
      edited,
      shown: () => queue.snapshot().item?.record.id ?? null,
      answer: async (): Promise<string | null> => {
        const id = queue.snapshot().item?.record.id ?? null
        if (id !== null) unsent.add(id)
        queue.refresh()
        await queue.advance()
        return id
      },
      /** Answers reach the server. @returns tells the list so */
      send: (): (() => void) => {
        const sent = [...unsent].filter((id) => !done.has(id))
        for (const id of sent) {
          done.add(id)
          holders.delete(id)
        }
        return () => {
          for (const id of sent) {
            unsent.delete(id)
            queue.confirm(id, standingOf(id))
          }
        }
      },
    }
  }
  return {
    join,
    done,
    open,
    goDown: (down: boolean) => {
      isDown = down
    },
    meanwhile: (work: (() => Promise<void>) | null) => {
      onTheWay = work
    },
    holdElsewhere: (id: string) => holders.set(id, 'somebody'),
    letGo: (id: string) => holders.delete(id),
    holderOf: (id: string) => holders.get(id) ?? null,
  }
}
export const settled = () => new Promise((done) => setTimeout(done))
