import { parseQueryString, printQueryString } from '@postil/contract/annotation-query/query-string.ts'
import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { endSession, followOtherTabs } from '#features/auth/public.ts'
import { basePath } from '#lib/api/base.ts'
import { setSessionEndHandler } from '#lib/api/client.ts'
import { mayPrefetch } from '#lib/net/connection.ts'
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
    // Placeholders have no minimum display time, so that loaded content appears at once.
    defaultPendingMinMs: 0,
  })
  const preload = router.preloadRoute
  // Checked again for each link, because the connection can change while the page is open.
  router.preloadRoute = async (options) => (mayPrefetch() ? preload(options) : undefined)
  focusOnNavigation(router)
  setSessionEndHandler((end) => {
    if (endSession(queryClient, router.state.location.href, end)) void router.invalidate()
  })
  followOtherTabs(queryClient, {
    currentPath: () =>
      router.state.matches.some(({ routeId }) => routeId.startsWith('/inside')) ? router.state.location.href : null,
    // A prompt about unsaved changes must not block the redirect to sign-in.
    toSignIn: () => router.navigate({ to: '/sign-in', ignoreBlocker: true }),
    continueToPage: () => router.invalidate(),
  })
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
