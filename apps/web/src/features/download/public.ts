import { preloadMessages } from '#i18n/setup.ts'

/** Loads the dialog and its messages on first use. Rejects on a network failure. */
export const loadDownloadDialog = async () => {
  const [{ DownloadDialog }] = await Promise.all([
    import('./components/DownloadDialog.tsx'),
    preloadMessages('features/download'),
  ])
  return DownloadDialog
}
