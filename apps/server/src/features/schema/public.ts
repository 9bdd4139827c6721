export { type AdoptedSchema, adoptSchema } from './adopt.ts'
export { carryColours, labelColours } from './colours.ts'
export {
  LabelList,
  labelSettings,
  labelsFault,
  labelsWith,
  settingsWith,
  settled,
  snapshotOf,
  transitional,
} from './label-changes.ts'
export {
  type FieldRow,
  fieldRows,
  type MetadataPropertyRow,
  metadataPropertyRows,
  printField,
  printMetadataProperty,
  printQuestion,
  printVectorSettings,
  type QuestionRow,
  questionRows,
  questionRowsAt,
  type VectorSettingsRow,
  vectorSettingsRows,
} from './rows.ts'
export { lockedDataset, readableDataset } from './scope.ts'
export { adoptSearchSettings, searchSettings } from './search-settings.ts'
