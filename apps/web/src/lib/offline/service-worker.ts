/** Whether the browser can open the web app offline, which requires a secure context. */
export const canOpenOffline = (): boolean => 'serviceWorker' in navigator && 'indexedDB' in window

/**
 * Resolves when a worker has cached the files (`has files`) or is active (`acts`).
 * @throws if the worker can't load the files, in which case the browser drops the worker
 */
const whenReady = (worker: ServiceWorker, milestone: 'has files' | 'acts'): Promise<void> =>
  new Promise((done, fail) => {
    const look = (): void => {
      const { state } = worker
      if (state === 'redundant') fail(new Error('the browser could not store the application'))
      else if (milestone === 'acts' ? state === 'activated' : state !== 'installing') done()
    }
    worker.addEventListener('statechange', look)
    look()
  })

/**
 * Stores the web app's files in the browser, so that the web app opens offline. With `checkForUpdate`, also waits for a newer
 * release's files, which is needed before going offline.
 * @throws if the browser refuses, or the files can't be loaded
 */
export const cacheApplication = async ({ checkForUpdate = false }: { readonly checkForUpdate?: boolean } = {}): Promise<void> => {
  // In development, the files change all the time.
  if (!import.meta.env.PROD || !canOpenOffline()) return
  const registration = await navigator.serviceWorker.register(new URL('sw.js', document.baseURI))
  const { active, waiting } = registration
  const first = active ?? waiting ?? registration.installing
  if (first) await whenReady(first, 'acts')
  if (!checkForUpdate) return
  // If the update fails, the previous release's files are sufficient, as long as they can read the data on the device.
  await registration.update().catch(() => undefined)
  const newer = registration.installing
  if (newer) await whenReady(newer, 'has files').catch(() => undefined)
}
