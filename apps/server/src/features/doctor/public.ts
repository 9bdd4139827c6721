export type { CheckedDataset } from './queries.ts'
export { markForRebuild } from './rebuild-dataset.ts'
export { type CheckResult, checkDataset, datasetsToCheck } from './service.ts'
