export { type AdoptedTest, type AdoptedTestPerson, adoptTestPeople, adoptTests } from './adopt.ts'
export { datasetsWithTests, noTests, type TestCounts, testCounts } from './counts.ts'
export { countDue, MAX_EXAMINED, openTests, placeOf, usableTests, withTests } from './hand-out.ts'
export { type OwnTest, ownTests, shownStatus } from './own-tests.ts'
export { relabelTests } from './relabel.ts'
export { recountScores, startRescoring } from './rescore.ts'
export { isStopped, type TestResult, testResults } from './results.ts'
export {
  type AnsweredTest,
  isAnswered,
  recordOfTest,
  replaceTest,
  type StoredTest,
  storeTestImage,
  testColumns,
  testsOfRecords,
} from './rows.ts'
export { scoreOf } from './score.ts'
export { type Checks, checksFor, checksOf, seesFinalAnswers } from './settings.ts'
