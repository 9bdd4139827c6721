import type { QueryClient } from '@tanstack/react-query'
import { prefetchSession } from '#features/auth/service.ts'
import { resolveLanguage } from '#i18n/languages.ts'
import { loadMessages } from '#i18n/messages.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import type { createAppRouter } from './router.tsx'

/**
 * Fetches what the wanted page needs all at once: who is there, its code and its texts. Each of them would otherwise wait
 * for the one before. Pages behind sign-in only for a browser that was signed in when it was last here.
 */
export const warmUp = (router: ReturnType<typeof createAppRouter>, queryClient: QueryClient): void => {
  prefetchSession(queryClient)
  const { signedIn, language } = preferences.read()
  const matches = router.matchRoutes(router.latestLocation)
  if (!signedIn && matches.some(({ routeId }) => routeId.startsWith('/inside'))) return
  for (const { routeId, staticData } of matches) {
    // What fails here is asked for again by the page itself, which then tells.
    Promise.resolve(router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])).catch(() => undefined)
    if (staticData.messages) loadMessages(staticData.messages, resolveLanguage(language)).catch(() => undefined)
  }
}
