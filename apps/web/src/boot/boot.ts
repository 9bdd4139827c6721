import { openDatabaseEarly } from './open-database.ts'
import { prefetchRequests } from './prefetch-requests.ts'
import { preloadFiles } from './preload-files.ts'
import { showTheme } from './show-theme.ts'
import { warmUpRendering } from './warm-up-rendering.ts'

/* Runs before everything else, inlined into index.html. The content security policy allows it by its hash. It only starts work
   early that the web app would do anyway, so everything works without it. */
type StoredPreferences = { readonly theme?: unknown; readonly language?: unknown; readonly signedIn?: unknown } | null

const read = (): StoredPreferences => {
  try {
    return JSON.parse(localStorage.getItem('postil') ?? '{}') as StoredPreferences
  } catch {
    // Storage is unavailable, so nothing is known.
    return null
  }
}

const { theme, language, signedIn } = read() ?? {}
showTheme(theme)
const base = new URL(document.baseURI).pathname
if (location.pathname.startsWith(base)) {
  const path = location.pathname.slice(base.length)
  // Pages behind sign-in are prefetched only if this browser was signed in on its last visit.
  const wasSignedIn = signedIn === true
  preloadFiles(path, location.search, language, wasSignedIn)
  if (wasSignedIn) {
    prefetchRequests(base, path, location.search)
    openDatabaseEarly()
  }
}
// Runs after the requests, when the browser has parsed the rest of the document.
setTimeout(warmUpRendering)
