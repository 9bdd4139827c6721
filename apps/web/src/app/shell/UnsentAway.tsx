import { useEffect } from 'react'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { UnsentNotice } from './UnsentNotice.tsx'

/**
 * What waits on this device while nobody can say who is there: of whoever was signed in here last. The outbox sends it itself once the
 * server says that it is still the same user.
 */
export const UnsentAway = () => {
  useEffect(() => {
    const { keptFor } = preferences.read()
    if (keptFor !== null && outbox.snapshot().userId === null) void outbox.start(keptFor)
  }, [])
  return <UnsentNotice />
}
