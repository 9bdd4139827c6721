export { type AdoptedDataset, adoptDataset } from './adopt.ts'
export { listDatasets } from './queries.ts'
export { type FoundDataset, printDataset } from './rows.ts'
export {
  addSchemaVersion,
  changedTexts,
  isTextChange,
  type QuestionLabels,
  type StoredChange,
  type StoredTextChange,
  type StoredVersion,
  schemaVersion,
  schemaVersions,
  timesOfVersion,
  versionsAfter,
  versionsByTime,
} from './schema-versions.ts'
export { ownUnseenTexts, seeVersion, unseenTexts } from './seen-versions.ts'
export { datasetFor, lockDatasetFor, mayChange, maySee, visibleDatasets } from './service.ts'
