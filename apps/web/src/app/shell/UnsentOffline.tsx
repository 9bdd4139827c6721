import { useEffect } from 'react'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { UnsentNotice } from './UnsentNotice.tsx'

/**
 * Shows the unsent answers on this device while the session is unknown. They belong to the user who was last signed in here. The
 * outbox sends them once the server confirms that the same user is still signed in.
 */
export const UnsentOffline = () => {
  useEffect(() => {
    const { keptFor } = preferences.read()
    if (keptFor !== null && outbox.snapshot().userId === null) void outbox.start(keptFor)
  }, [])
  return <UnsentNotice />
}
