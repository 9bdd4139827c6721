import type { QueuePurpose } from '@postil/contract/queue.ts'
import type { VisitedPosition } from '#lib/visited-records.ts'
import { EarlierRecords } from '../earlier-records.ts'
import { LeasedList } from '../leased-list.ts'
import { createRecord, serverAnswerTo } from './record.ts'

export const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `r${String(i).padStart(3, '0')}`)

/** Sets up a server that leases each record to one person, and browsers whose answers arrive late. */
export const setUp = (count: number) => {
  const done = new Set<string>()
  const deleted = new Set<string>()
  const holders = new Map<string, LeasedList | 'somebody'>()
  let isDown = false
  let isFromDevice = false
  let whileInFlight: (() => Promise<void>) | null = null
  const open = () => names(count).filter((id) => !done.has(id) && !deleted.has(id))
  /** @param visited what the annotator saw on an earlier visit */
  const joinAnnotator = (visited?: VisitedPosition) => {
    const deferred = visited?.earlier.ids ?? []
    const unsent = new Set<string>()
    const edited = new Set<string>()
    const leaseResult = (limit: number, exclude: readonly string[]) => {
      // A device doesn't count records with unsent answers.
      const available = open().filter((id) => (holders.get(id) ?? queue) === queue && !(isFromDevice && unsent.has(id)))
      const requested = available.filter((id) => !exclude.includes(id))
      const held = requested.filter((id) => holders.get(id) === queue)
      const ids = [...held, ...requested.filter((id) => !held.includes(id))].slice(0, limit)
      for (const id of ids) holders.set(id, queue)
      const closed = exclude.filter((id) => !available.includes(id))
      return { records: ids.map(createRecord), left: available.length, closed, isFromDevice }
    }
    const released: string[] = []
    const renewals: { readonly ids: readonly string[]; readonly purpose: QueuePurpose }[] = []
    /** Renews and acquires leases. @returns the records that this person has no lease on */
    const renew = async (ids: readonly string[], purpose: QueuePurpose): Promise<readonly string[]> => {
      await Promise.resolve()
      if (isDown) throw new Error('down')
      renewals.push({ ids, purpose })
      const granted = ids.filter((id) => (holders.get(id) ?? queue) === queue && !done.has(id))
      for (const id of granted) holders.set(id, queue)
      await whileInFlight?.()
      return ids.filter((id) => !granted.includes(id))
    }
    /** The requests for earlier records so far. Each request adds a list of record IDs. */
    const fetches: (readonly string[])[] = []
    const failures: unknown[] = []
    const fetchRecords = async (ids: readonly string[]) => {
      await Promise.resolve()
      if (isDown) throw new Error('down')
      fetches.push(ids)
      await whileInFlight?.()
      const found = ids.filter((id) => !deleted.has(id)).toReversed()
      return found.map((id) => ({ ...createRecord(id), responses: done.has(id) ? [serverAnswerTo(id)] : [] }))
    }
    const earlier = visited && new EarlierRecords({ ...visited, fetchRecords, onFailed: (error) => failures.push(error) })
    const queue: LeasedList = new LeasedList({
      lease: async ({ limit, exclude }) => {
        await Promise.resolve()
        if (isDown) throw new Error('down')
        // Records that the annotator saw on an earlier visit come last.
        const fresh = leaseResult(limit, [...deferred, ...exclude])
        const answer = fresh.records.length > 0 ? fresh : leaseResult(limit, exclude)
        // Lets the test act while the response is in flight.
        await whileInFlight?.()
        return answer
      },
      releaseRecords: (ids) => {
        released.push(...ids)
        for (const id of ids) if (holders.get(id) === queue) holders.delete(id)
      },
      acquire: async (id) => (await renew([id], 'work')).length === 0,
      acquireView: async (id) => ((await renew([id], 'view')).length === 0 ? 'leased' : 'held'),
      statusOf: ({ record, serverAnswer }) => (unsent.has(record.id) ? 'submitted' : (serverAnswer?.status ?? 'pending')),
      isEdited: (id) => edited.has(id),
      ...(earlier && { earlier, skippedBefore: () => deferred }),
    })
    return {
      queue,
      edited,
      /** Records with answers that haven't been sent. */
      unsent,
      fetches,
      failures,
      renew,
      /** The leases that were renewed or acquired so far. */
      renewals,
      /** The records whose release was requested so far. */
      released,
      /** Makes the first or a further edit to a record. */
      edit: (id: string): void => {
        edited.add(id)
        queue.noteEdit(id)
      },
      /** Retracts an answer that the server already has, so that the record is pending again. */
      undo: (id: string): void => {
        done.delete(id)
        unsent.delete(id)
        queue.confirm(id, null)
      },
      shown: () => queue.snapshot().item?.record.id ?? null,
      answer: async (): Promise<string | null> => {
        const id = queue.snapshot().item?.record.id ?? null
        if (id !== null) {
          unsent.add(id)
          edited.delete(id)
        }
        queue.refresh()
        await queue.advance()
        return id
      },
      /** Delivers the answers to the server. @returns a function that confirms them to the list */
      send: (): (() => void) => {
        const sent = [...unsent].filter((id) => !done.has(id))
        for (const id of sent) {
          done.add(id)
          holders.delete(id)
        }
        return () => {
          for (const id of sent) {
            unsent.delete(id)
            queue.confirm(id, serverAnswerTo(id))
          }
        }
      },
    }
  }
  return {
    join: joinAnnotator,
    done,
    deleted,
    open,
    setDown: (down: boolean) => {
      isDown = down
    },
    /** Sets whether records come from the device or from the server. */
    setFromDevice: (fromDevice: boolean) => {
      isFromDevice = fromDevice
    },
    setInFlightWork: (work: (() => Promise<void>) | null) => {
      whileInFlight = work
    },
    holdElsewhere: (id: string) => holders.set(id, 'somebody'),
    releaseRecord: (id: string) => holders.delete(id),
    holderOf: (id: string) => holders.get(id) ?? null,
  }
}
export const nextTask = () => new Promise((done) => setTimeout(done))
