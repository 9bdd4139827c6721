import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import * as store from './store.ts'

/** What is kept on this device is its user's who has just come in, and no one else's; answered records leave it. */
export const followUser = (userId: string): (() => void) => {
  store.hasPacks(userId).then(
    (has) => has && preferences.write({ keptFor: userId }),
    () => undefined,
  )
  const confirmed: string[] = []
  // The answers that were sent together are confirmed one after the other: their records leave together.
  const drop = (): void => void store.dropRecords(userId, confirmed.splice(0)).catch(() => undefined)
  return outbox.onConfirmed(({ recordId }) => {
    if (confirmed.push(recordId) === 1) queueMicrotask(drop)
  })
}
