import type { JobState } from '../db/tables.ts'

export const UNFINISHED = ['queued', 'scheduled', 'started'] as const satisfies readonly JobState[]
