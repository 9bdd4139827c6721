import { leaseBatchSize } from './list-item.ts'

/** More records are requested when this many or fewer remain after the current one. */
const prefetchAhead = 2
/**
 * If this many or fewer records are left, a list leases only two: the current record and the next. If one list leased all of the
 * remaining records, other users would get none.
 */
const scarceBelow = leaseBatchSize + prefetchAhead + 1
const scarceLimit = 2

export const maxLeasesPerRequest = 100

/**
 * Determines how many records to lease, given how many are left. If only a few are left, it leases fewer, so that other users
 * also get some. This doesn't apply to records that are saved on this device, because other users can't get them anyway.
 */
export class LeaseLimit {
  #isScarce = false

  update({ left, isFromDevice }: { readonly left: number; readonly isFromDevice: boolean }): void {
    this.#isScarce = left <= scarceBelow && !isFromDevice
  }

  prefetchAhead(): number {
    return this.#isScarce ? 0 : prefetchAhead
  }

  /** Returns how many records to lease next. @param leased number of leased records that the user hasn't answered yet */
  next(leased: number): number {
    return this.#isScarce ? Math.max(1, scarceLimit - leased) : leaseBatchSize
  }
}
