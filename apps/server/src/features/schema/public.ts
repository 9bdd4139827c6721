export { type AdoptedSchema, adoptSchema } from './adopt.ts'
export { labelColours } from './colours.ts'
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
  type VectorSettingsRow,
  vectorSettingsRows,
} from './rows.ts'
export { adoptSearchSettings, searchSettings } from './search-settings.ts'
