/** Whether the browser can open the page without a network: only where its address is a safe one. */
export const canOpenOffline = (): boolean => 'serviceWorker' in navigator && 'indexedDB' in window

/** Has the browser keep the application's own files, so that it opens without a network. @throws when it refuses */
export const keepApplication = async (): Promise<void> => {
  // The files of a page under development change under its feet.
  if (!import.meta.env.PROD || !canOpenOffline()) return
  await navigator.serviceWorker.register(new URL('sw.js', document.baseURI))
}
