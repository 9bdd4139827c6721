/** Whether the browser can open the page without a network: only where its address is a safe one. */
export const canOpenOffline = (): boolean => 'serviceWorker' in navigator && 'indexedDB' in window

/** Resolves when a worker has the files, and acts where that is asked for. @throws when it could not get them; the browser then drops it */
const ready = (worker: ServiceWorker, wanted: 'has files' | 'acts'): Promise<void> =>
  new Promise((done, fail) => {
    const look = (): void => {
      const { state } = worker
      if (state === 'redundant') fail(new Error('the browser could not keep the application'))
      else if (wanted === 'acts' ? state === 'activated' : state !== 'installing') done()
    }
    worker.addEventListener('statechange', look)
    look()
  })

/**
 * Has the browser keep the application's own files, so that it opens without a network; before a way without one also those of a release
 * that came meanwhile. @throws when it refuses, or they do not arrive
 */
export const keepApplication = async ({ asksForNewer = false }: { readonly asksForNewer?: boolean } = {}): Promise<void> => {
  // The files of a page under development change under its feet.
  if (!import.meta.env.PROD || !canOpenOffline()) return
  const registration = await navigator.serviceWorker.register(new URL('sw.js', document.baseURI))
  const { active, waiting } = registration
  const first = active ?? waiting ?? registration.installing
  if (first) await ready(first, 'acts')
  if (!asksForNewer) return
  // The files of the release before open the page, too, as long as it can read what is on the device.
  await registration.update().catch(() => undefined)
  const newer = registration.installing
  if (newer) await ready(newer, 'has files').catch(() => undefined)
}
