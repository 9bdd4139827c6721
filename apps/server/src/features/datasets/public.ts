export { type AdoptedDataset, adoptDataset } from './adopt.ts'
export { listDatasets } from './queries.ts'
export { type FoundDataset, printDataset } from './rows.ts'
export { datasetFor, lockDatasetFor, mayChange, maySee, visibleDatasets } from './service.ts'
