import { preloadMessages } from '#i18n/setup.ts'

export type { HubSource, HubToken } from './api.ts'
export { beginHubImport, checkHubPlan, previewQuery, repositoryQuery } from './api.ts'
export { HubStart } from './components/HubStart.tsx'
export { HubTokenForm } from './components/HubTokenForm.tsx'
export { repoIdOf } from './repo-id.ts'

/** Loads the dialog that pushes a dataset to the Hub, with its messages, on first use. Rejects on a network failure. */
export const loadPushDialog = async () =>
  (await Promise.all([import('./components/PushDialog.tsx'), preloadMessages('features/hub')]))[0].PushDialog
