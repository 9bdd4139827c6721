export { slotOf, writeTally } from './counters/counts.ts'
export { rebuildCounters, rebuildResponseRows } from './counters/rebuild.ts'
export { type Difference, recountResponses } from './counters/recount.ts'
export { recomputeStatuses } from './counters/statuses.ts'
export { Tally } from './counters/tally.ts'
export { answerMany, type ManyOutcome } from './many/answer-many.ts'
export {
  knownUsers,
  type RecordWithResponses,
  recordResponsesFault,
  type SentResponse,
  type Settled,
  storeBulkResponses,
} from './many/bulk-store.ts'
export { resolveSentAnswers } from './many/resolve-sent.ts'
export { revertMany } from './many/revert-many.ts'
export { restoreResponse } from './one/restore.ts'
export { responsesOfRecords } from './queries.ts'
export { isBeingRemoved, removeResponsesOfRecords, removeResponsesOfUser } from './removal.ts'
export { printResponse, type StoredResponse } from './rows.ts'
