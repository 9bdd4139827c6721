import { Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useUser } from '#features/auth/public.ts'
import { setMessageTranslator } from '#lib/api/messages.ts'
import { mayPrefetch, prefetchWhenIdle, whenIdle } from '#lib/net/connection.ts'
import { dropConfirmedRecords } from '#lib/offline/drop-confirmed.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { HeaderSlots } from '#lib/shell/header-slots.tsx'
import { PagePending } from '../PagePending.tsx'
import { Header } from './Header.tsx'
import { useHomeRefresh } from './use-home-refresh.ts'

/** Every page behind sign-in: the header, then the page with its own `<main id="main">`. */
export const SignedInShell = () => {
  const user = useUser()
  const router = useRouter()
  useHomeRefresh()
  useEffect(() => {
    void outbox.start(user.id)
    // If the page loads while the server is unreachable, it counts this user's unsent answers.
    preferences.write({ keptFor: user.id })
  }, [user.id])
  useEffect(() => {
    const stop = dropConfirmedRecords(user.id)
    whenIdle(async () => {
      const { cacheApplication } = await import('#lib/offline/service-worker.ts')
      if (mayPrefetch()) await cacheApplication()
    })
    return stop
  }, [user.id])
  useEffect(() => {
    // Translations of the server's messages are rarely needed.
    whenIdle(async () => {
      const { loadRefusals } = await import('#features/refusals/public.ts')
      setMessageTranslator(await loadRefusals())
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
