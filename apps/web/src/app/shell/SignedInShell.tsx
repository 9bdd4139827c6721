import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useUser } from '#features/auth/public.ts'
import { homeQuery } from '#features/home/public.ts'
import { setTranslationLoader } from '#lib/api/client.ts'
import { setMessageTranslator } from '#lib/api/messages.ts'
import { recountDelay } from '#lib/constants.ts'
import { mayPrefetch, prefetchWhenIdle, whenIdle } from '#lib/net/connection.ts'
import { dropConfirmedRecords } from '#lib/offline/drop-confirmed.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { HeaderSlots } from '#lib/shell/header-slots.tsx'
import { PagePending } from '../PagePending.tsx'
import { Header } from './Header.tsx'

/**
 * Marks the home page's counts of remaining records as stale when the server confirms answers. This also works if the home page
 * opens later.
 */
const useHomeRefresh = (): void => {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = outbox.onConfirmed(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: homeQuery().queryKey }), recountDelay)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queryClient])
}

/** The frame of every page that requires a sign-in: the header, then the page with its own `<main id="main">`. */
export const SignedInShell = () => {
  const user = useUser()
  const router = useRouter()
  useHomeRefresh()
  useEffect(() => {
    void outbox.start(user.id)
    // If the web app is later loaded while the server is unreachable, it then knows whose unsent answers to count.
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
    // Translations of the server's messages are rarely needed. They load when the browser is idle, or earlier if an error occurs.
    const load = async () => {
      const { loadRefusals } = await import('#features/refusals/public.ts')
      setMessageTranslator(await loadRefusals())
    }
    setTranslationLoader(load)
    whenIdle(load)
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
