import { createStores, databaseName, schemaVersion } from '#lib/outbox/stores.ts'
import { prefetchRequests } from './prefetch-requests.ts'
import { preloadScreen } from './preload-files.ts'

/**
 * Makes the browser prepare a font and form controls, which takes a while the first time. Runs while the CPU is idle before the
 * first scripts load, so that the first render doesn't have to wait for this work.
 */
const warmUpRendering = (): void => {
  const probe = document.createElement('div')
  probe.style.cssText = 'position: absolute; visibility: hidden; font-family: system-ui'
  probe.append('Aa', document.createElement('button'), document.createElement('input'), document.createElement('textarea'))
  const place = document.body ?? document.documentElement
  place.append(probe)
  probe.getBoundingClientRect()
  probe.remove()
}

const themes = ['system', 'light', 'dark', 'high-contrast']

/** Sets the stored theme before the first paint, so that users of the dark theme don't see a white flash. */
const showTheme = (theme: unknown): void => {
  document.documentElement.dataset['theme'] = typeof theme === 'string' && themes.includes(theme) ? theme : 'system'
}

/** Makes the browser open or create its database early, because the first record depends on its contents. */
const openDatabaseEarly = (): void => {
  try {
    const opening = indexedDB.open(databaseName, schemaVersion)
    opening.onupgradeneeded = () => createStores(opening.result)
    opening.onsuccess = () => opening.result.close()
    // The web app detects the failure itself and works without the database.
    opening.onerror = (event) => event.preventDefault()
  } catch {
    // Storage is unavailable.
  }
}

/* Runs before everything else, inlined into index.html. The content security policy allows it by its hash. It only does early
   what the web app would do later anyway, so everything also works without this script. */
type StoredPreferences = { readonly theme?: unknown; readonly language?: unknown; readonly signedIn?: unknown } | null

const read = (): StoredPreferences => {
  try {
    return JSON.parse(localStorage.getItem('postil') ?? '{}') as StoredPreferences
  } catch {
    // Storage is unavailable, so there are no stored preferences.
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
  preloadScreen(path, location.search, language, wasSignedIn)
  if (wasSignedIn) {
    prefetchRequests(base, path, location.search)
    openDatabaseEarly()
  }
}
// Runs after the requests have been sent, when the browser has parsed the rest of the document.
setTimeout(warmUpRendering)
