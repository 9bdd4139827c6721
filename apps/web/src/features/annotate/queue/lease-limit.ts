import { leaseBatchSize } from './list-item.ts'

/** More records are requested when this many or fewer remain after the current one. */
const prefetchAhead = 2
/**
 * If this many or fewer records are left, a list leases only two: the current record and the next. If one list leased all of the
 * remaining records, other users would get none.
 */
const scarceBelow = leaseBatchSize + prefetchAhead + 1
const scarceLimit = 2

/** The maximum number of leases that one request renews or releases. */
export const maxLeasesPerRequest = 100

/**
 * Determines how many records to lease, given how many are left. Records that are saved on this device are never treated as
 * scarce, because nobody else can get them.
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
