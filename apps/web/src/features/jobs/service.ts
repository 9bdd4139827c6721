export { JobMark, JobWhat, StopJob, useJobWords } from './components/JobParts.tsx'
export { WithReason } from './components/WithReason.tsx'
