/*
 * Keeps the application itself, never what it shows: with a network the page comes from the server, without one from here. Answers of
 * the API pass by untouched.
 */
type Shell = { readonly version: string; readonly files: readonly string[] }
type Lasting = Event & { readonly waitUntil: (work: Promise<unknown>) => void }
type Asked = Lasting & { readonly request: Request; readonly respondWith: (answer: Promise<Response>) => void }
type Scope = {
  readonly postilShell: Shell
  readonly registration: { readonly scope: string }
  readonly addEventListener: {
    (name: 'fetch', listener: (event: Asked) => void): void
    (name: 'install' | 'activate', listener: (event: Lasting) => void): void
  }
}
const worker = globalThis as unknown as Scope
const { version, files } = worker.postilShell

const prefix = 'postil-shell-'
const cacheName = prefix + version
const page = './'
/** A browser opens six connections to a server: those who work need some of them. */
const atOnce = 3
/** A server that does not answer for so long counts as none, in milliseconds. */
const patience = 4000

/** How a file was packed on its way is no matter here. */
const anyEncoding = { ignoreVary: true } as const

const at = (path: string): string => new URL(path, worker.registration.scope).href

const fill = async (): Promise<void> => {
  const cache = await caches.open(cacheName)
  const keep = async (path: string, mode: RequestCache): Promise<void> => {
    const url = at(path)
    const answer = await fetch(url, { cache: mode, credentials: 'same-origin' })
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    await cache.put(url, answer)
  }
  const left = [...files]
  const lane = async (): Promise<void> => {
    // Hashed files of the browser's own cache are as good as the server's; the page is not.
    for (let path = left.shift(); path !== undefined; path = left.shift()) await keep(path, 'default')
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  // Last: where the page is, everything is.
  await keep(page, 'reload')
}

/** Files of releases that no page uses any more: a worker becomes active only when the last page of the one before is gone. */
const dropOthers = async (): Promise<void> => {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)))
}

/**
 * The page of the newest release that is here whole. This worker acts until the last page of its own release is gone, which may take weeks;
 * meanwhile pages come from the server and are newer, and what they have stored on the device no older one can read.
 */
const keptPage = async (): Promise<Response | undefined> => {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix))
  for (const name of names.toReversed()) {
    const found = await (await caches.open(name)).match(at(page), anyEncoding)
    if (found) return found
  }
  return undefined
}

/** A proxy in front of a server that is away answers with one of these. */
const isAway = ({ status }: Response): boolean => status === 502 || status === 503 || status === 504

const openPage = async (request: Request): Promise<Response> => {
  const fromServer = fetch(request)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), patience))
  try {
    const answer = await Promise.race([fromServer, late])
    if (answer !== null && !isAway(answer)) return answer
    return (await keptPage()) ?? (await fromServer)
  } catch (error) {
    const instead = await keptPage()
    if (instead === undefined) throw error
    return instead
  }
}

const hashed = at('assets/')
const own = new Set(['frame', 'manifest.webmanifest'].map(at))

/** Of whichever release: a hashed name says what is in it. */
const openFile = async (request: Request): Promise<Response> => (await caches.match(request, anyEncoding)) ?? fetch(request)

worker.addEventListener('install', (event) => event.waitUntil(fill()))
worker.addEventListener('activate', (event) => event.waitUntil(dropOthers()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { url, method, mode, destination } = request
  if (method !== 'GET' || !url.startsWith(worker.registration.scope)) return
  if (url.startsWith(hashed)) event.respondWith(openFile(request))
  // Addresses of the API that are opened in a tab, such as downloads, are the server's.
  else if (mode === 'navigate' && destination === 'document' && !url.startsWith(at('api/')) && !own.has(url)) {
    event.respondWith(openPage(request))
  }
})
