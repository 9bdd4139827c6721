type Release = { readonly datasetId: string; readonly ids: readonly string[] }

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('postil.released-records')
// In tests, an open channel would keep the process running.
if (channel && 'unref' in channel && typeof channel.unref === 'function') channel.unref()

/** Tells other tabs which leases this tab releases, because they may show the same records. */
export const announceRelease = (release: Release): void => channel?.postMessage(release)

/** Calls the listener when another tab releases leases in a dataset. @returns a function that removes the listener */
export const onReleaseElsewhere = (datasetId: string, listener: (ids: readonly string[]) => void): (() => void) => {
  const onMessage = ({ data }: MessageEvent<Release>): void => {
    if (data.datasetId === datasetId) listener(data.ids)
  }
  channel?.addEventListener('message', onMessage)
  return () => channel?.removeEventListener('message', onMessage)
}
