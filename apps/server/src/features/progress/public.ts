export { recordCounts, submittedCounts } from './counters.ts'
