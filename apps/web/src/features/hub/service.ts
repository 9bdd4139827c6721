export type { HubSource, HubToken } from './api.ts'
// biome-ignore lint/performance/noBarrelFile: the feature's one door
export { beginHubImport, checkHubPlan, previewQuery, repositoryQuery } from './api.ts'
export { HubStart } from './components/HubStart.tsx'
export { HubTokenForm } from './components/HubTokenForm.tsx'
export { PushButton } from './components/PushButton.tsx'
export { repoIdOf } from './repo-id.ts'
