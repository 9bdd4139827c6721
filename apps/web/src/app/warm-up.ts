import type { QueryClient } from '@tanstack/react-query'
import { prefetchSession } from '#features/auth/service.ts'
import { firstLanguage } from '#i18n/languages.ts'
import { loadMessages } from '#i18n/messages.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import type { createAppRouter } from './router.tsx'

/**
 * Fetches what the wanted page needs all at once: who is there, its code, its texts and its data. Each of them would otherwise wait
 * for the one before. Pages behind sign-in only for a browser that was signed in when it was last here.
 */
export const warmUp = (router: ReturnType<typeof createAppRouter>, queryClient: QueryClient): void => {
  const { signedIn, language } = preferences.read()
  // Nothing is drawn without these, and a browser opens six connections only: they go first.
  loadMessages('common', firstLanguage(language)).catch(() => undefined)
  const isSignedIn = prefetchSession(queryClient)
  const matches = router.matchRoutes(router.latestLocation)
  if (!signedIn && matches.some(({ routeId }) => routeId.startsWith('/inside'))) return
  for (const { routeId, staticData, params, search } of matches) {
    // What fails here is asked for again by the page itself, which then tells. The data comes in two steps, so it goes first.
    staticData.prefetch?.({ queryClient, params, search, isSignedIn })?.catch(() => undefined)
    Promise.resolve(router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById])).catch(() => undefined)
    if (staticData.messages) loadMessages(staticData.messages, firstLanguage(language)).catch(() => undefined)
  }
}
