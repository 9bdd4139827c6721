import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { endSession, followOtherTabs } from '#features/auth/service.ts'
import { basePath } from '#lib/api/base.ts'
import { whenSessionEnds } from '#lib/api/client.ts'
import { mayPrefetch } from '#lib/net/connection.ts'
import { parseQueryString, printQueryString } from '#lib/url/query-string.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PagePending } from './PagePending.tsx'
import { routeTree } from './routes.tsx'
import { focusOnNavigation } from './shell/focus-on-navigation.ts'

export const createAppRouter = (queryClient: QueryClient) => {
  const router = createRouter({
    routeTree,
    basepath: basePath() || '/',
    context: { queryClient },
    parseSearch: parseQueryString,
    stringifySearch: printQueryString,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    defaultPendingComponent: PagePending,
    defaultPendingMs: 300,
    // What is there is shown: a place holder has no time of its own.
    defaultPendingMinMs: 0,
  })
  const preload = router.preloadRoute
  // A connection changes while the page is open: each link asks anew.
  router.preloadRoute = async (options) => (mayPrefetch() ? preload(options) : undefined)
  focusOnNavigation(router)
  whenSessionEnds((end) => {
    if (endSession(queryClient, router.state.location.href, end)) void router.invalidate()
  })
  followOtherTabs(queryClient, {
    place: () => (router.state.matches.some(({ routeId }) => routeId.startsWith('/inside')) ? router.state.location.href : null),
    // What is asked before a page is left would leave it on the screen.
    toSignIn: () => router.navigate({ to: '/sign-in', ignoreBlocker: true }),
    goOn: () => router.invalidate(),
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
