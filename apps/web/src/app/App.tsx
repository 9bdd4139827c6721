import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { prefetchSession } from '#features/auth/public.ts'
import { firstLanguage } from '#i18n/languages.ts'
import { loadMessages } from '#i18n/messages.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'

/**
 * Fetches in parallel everything that the requested page needs, so that no request waits for another: the session, the page's
 * code, messages and data. Pages behind sign-in are fetched only if this browser was signed in on its last visit.
 */
const prefetchPage = (router: ReturnType<typeof createAppRouter>, queryClient: QueryClient): void => {
  const { signedIn, language } = preferences.read()
  // The messages come first, because nothing renders without them and a browser opens only six connections.
  loadMessages('common', firstLanguage(language)).catch(() => undefined)
  const sessionCheck = prefetchSession(queryClient)
  const matches = router.matchRoutes(router.latestLocation)
  if (!signedIn && matches.some(({ routeId }) => routeId.startsWith('/inside'))) return
  for (const { routeId, staticData, params, search } of matches) {
    // Failures are ignored here, because the page retries and shows the error. The data is requested before the code, because it
    // takes two steps: the session check must end before the data can be loaded.
    staticData.prefetch?.({ queryClient, params, search, sessionCheck })?.catch(() => undefined)
    Promise.resolve(router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])).catch(() => undefined)
    if (staticData.messages) loadMessages(staticData.messages, firstLanguage(language)).catch(() => undefined)
  }
}

const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
prefetchPage(router, queryClient)

export const App = () => (
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>
)
