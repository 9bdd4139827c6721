import { leaseBatchSize } from './list-item.ts'

/** More records are requested when at most this many are ahead. */
const prefetchAhead = 2
/**
 * If one list could lease all remaining records, others would get none. The list is then limited to two leases: the current
 * record and the next.
 */
const scarceBelow = leaseBatchSize + prefetchAhead + 1
const scarceLimit = 2

/**
 * Determines how many records to lease from how many are left. Records from this device never count as scarce, because using
 * them takes none from others.
 */
export class LeaseLimit {
  #isScarce = false

  update({ left, isFromDevice }: { readonly left: number; readonly isFromDevice: boolean }): void {
    this.#isScarce = left <= scarceBelow && !isFromDevice
  }

  prefetchAhead(): number {
    return this.#isScarce ? 0 : prefetchAhead
  }

  /** @param leased how many leased records are still to be answered */
  next(leased: number): number {
    return this.#isScarce ? Math.max(1, scarceLimit - leased) : leaseBatchSize
  }
}
