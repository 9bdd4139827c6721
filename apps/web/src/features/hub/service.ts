import { preloadMessages } from '#i18n/setup.ts'

export type { HubSource, HubToken } from './api.ts'
export { beginHubImport, checkHubPlan, previewQuery, repositoryQuery } from './api.ts'
export { HubStart } from './components/HubStart.tsx'
export { HubTokenForm } from './components/HubTokenForm.tsx'
export { repoIdOf } from './repo-id.ts'

/** Puts a dataset on the hub: the dialog with its texts, when it is first wanted. Rejects when the network does not give it. */
export const loadPushDialog = async () =>
  (await Promise.all([import('./components/PushDialog.tsx'), preloadMessages('features/hub')]))[0].PushDialog
