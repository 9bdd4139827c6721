import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isRunning } from '#lib/jobs.ts'
import { answerJobsQuery, undoAnswers } from './api.ts'

/**
 * Returns the ID of the job that can be undone after the given job has ended, or null. This is the given job, if it stored any
 * answers. If the given job was itself an undo that didn't finish, this is the job that it was undoing.
 */
const undoableOf = ({ job, undoes }: BulkAnswerJob): string | null => {
  if (undoes !== null) return job.status === 'finished' ? null : undoes
  return (job.answers?.stored ?? 0) > 0 ? job.id : null
}

export type JobUndo = ReturnType<typeof useJobUndo>

/** Undoes the last bulk answer job. The undo is also a job. It restores the previous answers record by record. */
export const useJobUndo = (datasetId: string) => {
  const client = useQueryClient()
  const { data: jobs = [] } = useQuery(answerJobsQuery(datasetId))
  const isRunningJob = jobs.some(({ job }) => isRunning(job))
  const [last] = jobs
  const undo = useMutation({
    mutationFn: (id: string) => undoAnswers(datasetId, id),
    onSettled: () => client.invalidateQueries({ queryKey: answerJobsQuery(datasetId).queryKey }),
  })
  return {
    /** Null if nothing can be undone now. */
    id: last && !isRunningJob ? undoableOf(last) : null,
    isRunningJob,
    /** Returns whether a job has ended. Also false for jobs that aren't loaded yet. */
    hasEnded: (id: string): boolean => jobs.some(({ job }) => job.id === id && !isRunning(job)),
    isStarting: undo.isPending,
    undo: undo.mutate,
  }
}
