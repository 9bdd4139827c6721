/** Whether the browser can open the page without a network: only where its address is a safe one. */
export const canOpenOffline = (): boolean => 'serviceWorker' in navigator && 'indexedDB' in window

/** Resolves when a worker has the files and acts. @throws when it could not get them; the browser then drops it */
const installed = (worker: ServiceWorker): Promise<void> =>
  new Promise((done, fail) => {
    const look = (): void => {
      if (worker.state === 'redundant') fail(new Error('the browser could not keep the application'))
      else if (worker.state === 'activated') done()
    }
    worker.addEventListener('statechange', look)
    look()
  })

/** Has the browser keep the application's own files, so that it opens without a network. @throws when it refuses, or they do not arrive */
export const keepApplication = async (): Promise<void> => {
  // The files of a page under development change under its feet.
  if (!import.meta.env.PROD || !canOpenOffline()) return
  const { active, waiting, installing } = await navigator.serviceWorker.register(new URL('sw.js', document.baseURI))
  // The files of the release before open the page, too.
  const worker = active ?? waiting ?? installing
  if (worker) await installed(worker)
}
