import { askAhead } from './ask-ahead.ts'
import { loadAhead } from './load-ahead.ts'
import { makeReady } from './make-ready.ts'
import { openDeviceAhead } from './open-device.ts'
import { showTheme } from './show-theme.ts'

/*
 * Runs before everything else, written into index.html itself; the content security policy allows it by its hash. What it does is done
 * sooner here, and is done by the page too: without it everything works.
 */
type Stored = { readonly theme?: unknown; readonly language?: unknown; readonly signedIn?: unknown } | null

const read = (): Stored => {
  try {
    return JSON.parse(localStorage.getItem('postil') ?? '{}') as Stored
  } catch {
    // No storage: nothing is known.
    return null
  }
}

const { theme, language, signedIn } = read() ?? {}
showTheme(theme)
const base = new URL(document.baseURI).pathname
if (location.pathname.startsWith(base)) {
  const path = location.pathname.slice(base.length)
  // Pages behind sign-in only for a browser that was signed in when it was last here.
  const isInside = signedIn === true
  loadAhead(path, location.search, language, isInside)
  if (isInside) {
    askAhead(base, path, location.search)
    openDeviceAhead()
  }
}
// After the requests, and when the browser has read the rest of the document.
setTimeout(makeReady)
