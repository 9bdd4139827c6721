import { Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useUser } from '#features/auth/service.ts'
import { saySentencesBy } from '#lib/api/messages.ts'
import { mayPrefetch, prefetchWhenIdle, whenIdle } from '#lib/net/connection.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { HeaderSlots } from '#lib/shell/header-slots.tsx'
import { followUser } from '#lib/taken/follow.ts'
import { PagePending } from '../PagePending.tsx'
import { Header } from './Header.tsx'
import { useHomeCounts } from './use-home-counts.ts'

/** Every page behind sign-in: the header, then what the page draws, with its own `<main id="main">`. */
export const InsideShell = () => {
  const user = useUser()
  const router = useRouter()
  useHomeCounts()
  useEffect(() => {
    void outbox.start(user.id)
    // A page that is loaded while the server is away counts what this user has not sent.
    preferences.write({ keptFor: user.id })
  }, [user.id])
  useEffect(() => {
    const stop = followUser(user.id)
    whenIdle(async () => {
      const { keepApplication } = await import('#lib/taken/able.ts')
      if (mayPrefetch()) await keepApplication()
    })
    return stop
  }, [user.id])
  useEffect(() => {
    // The server's own sentences are English, and seldom needed.
    whenIdle(async () => {
      const { loadRefusals } = await import('#features/refusals/service.ts')
      saySentencesBy(await loadRefusals())
    })
  }, [])
  useEffect(() => {
    prefetchWhenIdle(async () => {
      await router.loadRouteChunk(router.routesById['/inside/dataset/$datasetId/annotation-mode'])
    })
  }, [router])
  return (
    <HeaderSlots header={(frame) => <Header {...frame} />}>
      <Suspense fallback={<PagePending />}>
        <Outlet />
      </Suspense>
    </HeaderSlots>
  )
}
