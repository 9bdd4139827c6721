import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import * as store from './store.ts'

/** What is kept on this device is its user's who has just come in, and no one else's; answered records leave it. */
export const followUser = (userId: string): (() => void) => {
  store.hasPacks(userId).then(
    (has) => has && preferences.write({ keptFor: userId }),
    () => undefined,
  )
  return outbox.onConfirmed(({ recordId }) => void store.dropRecord(userId, recordId).catch(() => undefined))
}
