import { preloadMessages } from '#i18n/setup.ts'

/** The dialog with its texts, when it is first wanted. Rejects when the network does not give it. */
export const loadDownloadDialog = async () => {
  const [{ DownloadDialog }] = await Promise.all([
    import('./components/DownloadDialog.tsx'),
    preloadMessages('features/download'),
  ])
  return DownloadDialog
}
export type DownloadDialogType = Awaited<ReturnType<typeof loadDownloadDialog>>
