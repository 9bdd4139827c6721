import type { JobState } from '../db/tables.ts'

/** The states of jobs that have not ended: they wait, are delayed, or run. */
export const UNFINISHED = ['queued', 'scheduled', 'started'] as const satisfies readonly JobState[]
