import { newMutationId } from '#lib/outbox/mutation-id.ts'
import { leaseEndOf, noteLeaseEnd } from './lease-ends.ts'

/** The records whose leases a tab holds. */
type Viewed = {
  readonly userId: string
  readonly datasetId: string
  readonly ids: readonly string[]
  /** The ends of the leases, keyed by record ID. */
  readonly ends: { readonly [recordId: string]: string }
  /** When the tab was last visible, in milliseconds. */
  readonly at: number
}

const prefix = 'postil.viewed.'
/**
 * How long a tab's records are considered viewed after the tab was last visible, in milliseconds. This is also the duration of a
 * lease for viewing.
 */
const viewLifetime = 90_000

const ownKey = prefix + newMutationId()

const parse = (value: string | null): Viewed | null => {
  try {
    return JSON.parse(value ?? 'null') as Viewed | null
  } catch {
    return null
  }
}

/** Tells this browser's other tabs which leases this tab holds, so that they don't release them. */
export const announceViewed = ({ userId, datasetId, ids }: Omit<Viewed, 'at' | 'ends'>): void => {
  try {
    const ends = Object.fromEntries(ids.map((id) => [id, leaseEndOf(id) ?? '']))
    localStorage.setItem(ownKey, JSON.stringify({ userId, datasetId, ids, ends, at: Date.now() } satisfies Viewed))
  } catch {
    // Without storage, another tab may release records that this tab shows. This tab then leases them again.
  }
}

/** Called when this tab releases its leases. */
export const forgetViewed = (): void => {
  try {
    localStorage.removeItem(ownKey)
  } catch {
    // Nothing was stored.
  }
}

const closeListeners = new Set<() => void>()

/** Calls the listener when another tab was closed or releases its leases. @returns a function that removes the listener */
export const onTabClosed = (listener: () => void): (() => void) => {
  closeListeners.add(listener)
  return () => closeListeners.delete(listener)
}

/**
 * Remembers the lease ends that other tabs announce. A closing tab sends the latest lease end that it knows, and the server keeps
 * leases that end later. If the tab didn't know that another tab renewed a lease, the server would keep that lease.
 */
window.addEventListener('storage', ({ key, newValue }) => {
  if (!key?.startsWith(prefix)) return
  if (newValue === null) for (const listener of closeListeners) listener()
  for (const [id, until] of Object.entries(parse(newValue)?.ends ?? {})) noteLeaseEnd(id, until)
})

/** Returns the given records, except those that another tab of the user shows. */
export const withoutViewedElsewhere = (userId: string, datasetId: string, ids: readonly string[]): readonly string[] => {
  try {
    const others = Object.keys(localStorage).filter((key) => key.startsWith(prefix) && key !== ownKey)
    const viewed = new Set<string>()
    for (const key of others) {
      const tab = parse(localStorage.getItem(key))
      // The browser may have closed the tab without notice.
      if (!tab || Date.now() - tab.at > viewLifetime) localStorage.removeItem(key)
      else if (tab.userId === userId && tab.datasetId === datasetId) for (const id of tab.ids) viewed.add(id)
    }
    return ids.filter((id) => !viewed.has(id))
  } catch {
    return ids
  }
}
