import { createStores, databaseName, schemaVersion } from '#lib/outbox/stores.ts'
import { prefetchRequests } from './prefetch-requests.ts'
import type { ScreenFiles } from './screens.ts'

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

const bootGlobals = globalThis as unknown as { readonly postilScreens?: readonly ScreenFiles[] }

const createLink = (rel: string, href: string): HTMLLinkElement => {
  const element = document.createElement('link')
  element.rel = rel
  element.href = `./${href}`
  element.crossOrigin = ''
  return element
}

/**
 * Returns the message files for the chosen language or, if none is chosen, for the browser's language. Falls back to English if
 * that language isn't offered (`firstLanguage`).
 */
const textFilesFor = ({ texts }: ScreenFiles, language: unknown): readonly string[] => {
  const preferred = typeof language === 'string' ? [language] : navigator.languages
  const codes = preferred.flatMap((one) => [one.toLowerCase(), one.toLowerCase().split('-')[0] ?? ''])
  return texts[codes.find((code) => Object.hasOwn(texts, code)) ?? 'en'] ?? []
}

/**
 * Starts loading the files for the screen at the given path. @param wasSignedIn whether screens behind sign-in are likely to be
 * shown
 */
const preloadFiles = (path: string, query: string, language: unknown, wasSignedIn: boolean): void => {
  const screen = bootGlobals.postilScreens?.find(
    (one) => new RegExp(one.path).test(path) && (one.query === undefined || new RegExp(one.query).test(query)),
  )
  if (screen === undefined || !(wasSignedIn || screen.open)) return
  const style = (href: string) => Object.assign(createLink('preload', href), { as: 'style' })
  // Low priority: the first scripts are more urgent, and they run while these load.
  const script = (href: string) => Object.assign(createLink('modulepreload', href), { fetchPriority: 'low' })
  document.head.append(...screen.styles.map(style), ...screen.scripts.map(script), ...textFilesFor(screen, language).map(script))
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

/* Runs before everything else, inlined into index.html. The content security policy allows it by its hash. It only starts early
   what the web app would do anyway, so everything works without it. */
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
  preloadFiles(path, location.search, language, wasSignedIn)
  if (wasSignedIn) {
    prefetchRequests(base, path, location.search)
    openDatabaseEarly()
  }
}
// Runs after the requests, when the browser has parsed the rest of the document.
setTimeout(warmUpRendering)
