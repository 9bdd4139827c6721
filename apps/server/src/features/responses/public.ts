export { resumeAgreementFills } from './agreement/fill.ts'
export { type AnswerChange, applyAnswers, type Settled } from './apply-answers.ts'
export { writeTally } from './counters/counts.ts'
export { rebuildCounters, rebuildResponseRows } from './counters/rebuild.ts'
export { type Difference, recountResponses } from './counters/recount.ts'
export { recomputeStatuses } from './counters/statuses.ts'
export { recordStatus, Tally } from './counters/tally.ts'
export { isUnchanged } from './kept-parts.ts'
export { answerMany, type LabelToSet } from './many/answer-many.ts'
export { changeAnswersOf, replacedAnswers } from './many/change-answers-of.ts'
export { changeSplitAnswers } from './many/change-split.ts'
export type { ManyOutcome } from './many/lock-many.ts'
export { relabelAnswers } from './many/relabel.ts'
export { requestAnswers } from './many/request-answers.ts'
export { revertMany } from './many/revert-many.ts'
export {
  authorFault,
  type KnownUsers,
  knownUsers,
  recordResponsesFault,
  resolveSentAnswers,
  type SentResponse,
} from './many/sent-responses.ts'
export { lockResponse } from './one/commands.ts'
export { restoreResponse } from './one/restore.ts'
export { putAnswer } from './one/write.ts'
export { responsesOfRecords } from './queries.ts'
export { hasAnswered, isBeingRemoved, removeResponsesOfRecords, removeResponsesOfUser, usersBeingRemoved } from './removal.ts'
export { printResponse, type StoredResponse } from './rows.ts'
export { lockNextRecords } from './scope.ts'
export { splitsIn } from './split-labels.ts'
export { loadAnswers } from './stored-answers.ts'
export { submittedAnswers } from './submitted.ts'
