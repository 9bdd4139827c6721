/* Caches the web app itself, never the data that it shows. If there is a network, the page comes from the server. Otherwise, it
   comes from this cache. API responses aren't handled here. */
type AppFiles = { readonly version: string; readonly files: readonly string[] }
type ExtendableEvent = Event & { readonly waitUntil: (work: Promise<unknown>) => void }
type FetchEvent = ExtendableEvent & { readonly request: Request; readonly respondWith: (answer: Promise<Response>) => void }
type WorkerScope = {
  readonly postilShell: AppFiles
  readonly registration: { readonly scope: string }
  readonly addEventListener: {
    (name: 'fetch', listener: (event: FetchEvent) => void): void
    (name: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void
  }
}
const worker = globalThis as unknown as WorkerScope
const { version, files } = worker.postilShell

const prefix = 'postil-shell-'
const cacheName = prefix + version
const page = './'
/** Number of parallel downloads. A browser opens six connections to a server, and the user's work needs some of them. */
const parallelDownloads = 3
/** Maximum time for the server to respond, in milliseconds. After that, the server is considered unreachable. */
const serverTimeout = 4000

/** Ignores `Vary`, because the encoding in which a file was transferred doesn't matter here. */
const ignoreVaryOptions = { ignoreVary: true } as const

const urlOf = (path: string): string => new URL(path, worker.registration.scope).href

const fillCache = async (): Promise<void> => {
  const cache = await caches.open(cacheName)
  const cacheFile = async (path: string, mode: RequestCache): Promise<void> => {
    const url = urlOf(path)
    const answer = await fetch(url, { cache: mode, credentials: 'same-origin' })
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    await cache.put(url, answer)
  }
  const remaining = [...files]
  const downloadNext = async (): Promise<void> => {
    // Hashed files may come from the browser's HTTP cache, because they never change. The page must come from the server.
    for (let path = remaining.shift(); path !== undefined; path = remaining.shift()) await cacheFile(path, 'default')
  }
  await Promise.all(Array.from({ length: parallelDownloads }, downloadNext))
  // The page is stored last. If it is stored, all other files are stored too.
  await cacheFile(page, 'reload')
}

/**
 * Deletes the files of releases that no open page uses anymore. A worker becomes active only after the last page of the
 * previous worker is closed.
 */
const deleteOldCaches = async (): Promise<void> => {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)))
}

/**
 * Returns the page (`index.html`) of the newest release that is stored completely on this device. That release can be newer than
 * the worker's own release. The worker stays active until the last page of its own release is closed, which may take weeks.
 * During that time, the server sends newer pages. They store data on the device that an older page can't read.
 */
const cachedPage = async (): Promise<Response | undefined> => {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix))
  for (const name of names.toReversed()) {
    const found = await (await caches.open(name)).match(urlOf(page), ignoreVaryOptions)
    if (found) return found
  }
  return undefined
}

/** A proxy responds with one of these status codes if the server behind it is unreachable. */
const isGatewayError = ({ status }: Response): boolean => status === 502 || status === 503 || status === 504

const openPage = async (request: Request): Promise<Response> => {
  const fromServer = fetch(request)
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), serverTimeout))
  try {
    const answer = await Promise.race([fromServer, timeout])
    if (answer !== null && !isGatewayError(answer)) return answer
    return (await cachedPage()) ?? (await fromServer)
  } catch (error) {
    const fallback = await cachedPage()
    if (fallback === undefined) throw error
    return fallback
  }
}

const assetsUrl = urlOf('assets/')
const serverPages = new Set(['frame', 'manifest.webmanifest'].map(urlOf))

/** The cached file may come from any release, because its name contains a hash of its content. */
const openFile = async (request: Request): Promise<Response> => (await caches.match(request, ignoreVaryOptions)) ?? fetch(request)

worker.addEventListener('install', (event) => event.waitUntil(fillCache()))
worker.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { url, method, mode, destination } = request
  if (method !== 'GET' || !url.startsWith(worker.registration.scope)) return
  if (url.startsWith(assetsUrl)) event.respondWith(openFile(request))
  // The server handles API URLs that are opened in a tab, such as downloads.
  else if (mode === 'navigate' && destination === 'document' && !url.startsWith(urlOf('api/')) && !serverPages.has(url)) {
    event.respondWith(openPage(request))
  }
})
