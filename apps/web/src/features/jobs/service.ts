// biome-ignore lint/performance/noBarrelFile: the feature's one door
export { JobMark, JobWhat, StopJob, useJobWords } from './components/JobParts.tsx'
export { WithReason } from './components/WithReason.tsx'
