export { FailureReason } from './components/FailureReason.tsx'
export { JobMark, JobTitle, StopJob, useJobTexts } from './components/JobParts.tsx'
