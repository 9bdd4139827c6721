export { adoptRecords, type OriginalRecord } from './adopt/adopt.ts'
export type { LeftOut } from './adopt/adopt-rules.ts'
export { openDataset } from './bulk/bulk-commands.ts'
export type { ProvidedKeys } from './bulk/merge-partial.ts'
export { packRecords } from './bulk/pack.ts'
export {
  type PreparedRecord,
  type PreparedResponse,
  type PreparedSuggestion,
  prepareRecord,
  prepareSuggestion,
  prepareUpdate,
} from './bulk/prepare.ts'
export {
  currentFields,
  invalidAnswers,
  lockedRecords,
  type RefusedItem,
  refusedItems,
  type UnstoredAnswer,
  type UpsertedValid,
  upsertValid,
} from './bulk/upsert-valid.ts'
export { suggestionFault } from './check.ts'
export { updateRecord } from './commands.ts'
export { firstBatch, pageItems, presentPage, type RecordPage, sizesOfRecords } from './page.ts'
export { recordPolicy } from './policy.ts'
export { fullView, isAgreementFilled, presentRecords, type Viewer, viewerOf } from './present.ts'
export { printSuggestion, printSuggestionContent } from './print.ts'
export { pageSeqs } from './queries.ts'
export { rebuildBlocks, rebuildRecordRows } from './recount/rebuild.ts'
export { rebuildAssignments } from './recount/recount-assignments.ts'
export { removeRecords } from './remove.ts'
export { skipSeqs } from './rows/record-rows.ts'
export { type LabeledSuggestion, relabelSuggestions } from './rows/relabel-suggestions.ts'
export { fieldBytes } from './rows/rows-at.ts'
export { currentSuggestion, type SuggestionRow } from './rows/suggestion-rows.ts'
export { findSuggestion, removeSuggestions, storeSuggestion, suggestionsOfRecord } from './rows/suggestion-store.ts'
export { loadSchema, type Schema } from './schema.ts'
export { datasetScope, datasetScopeAt, recordScope, type ScopeDataset, type ScopeRecord } from './scope.ts'
export { recount } from './service.ts'
export { lockRecords } from './targets.ts'
