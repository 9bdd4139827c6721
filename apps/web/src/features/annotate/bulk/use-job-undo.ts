import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isRunning } from '#lib/jobs.ts'
import { answerJobsQuery, undoAnswers } from './api.ts'

/** The job that can be undone: the one that ended last, or the one whose undoing ended before it was through. */
const undoableOf = ({ job, undoes }: BulkAnswerJob): string | null => {
  if (undoes !== null) return job.status === 'finished' ? null : undoes
  return (job.answers?.stored ?? 0) > 0 ? job.id : null
}

export type JobUndo = ReturnType<typeof useJobUndo>

/** The way back from what the server has answered last: another job, which takes it back record by record. */
export const useJobUndo = (datasetId: string) => {
  const client = useQueryClient()
  const { data: jobs = [] } = useQuery(answerJobsQuery(datasetId))
  const isGoing = jobs.some(({ job }) => isRunning(job))
  const [last] = jobs
  const undo = useMutation({
    mutationFn: (id: string) => undoAnswers(datasetId, id),
    onSettled: () => client.invalidateQueries({ queryKey: answerJobsQuery(datasetId).queryKey }),
  })
  return {
    /** Null where nothing can be undone now. */
    id: last && !isGoing ? undoableOf(last) : null,
    isGoing,
    /** False also of one that is not known yet. */
    isOver: (id: string): boolean => jobs.some(({ job }) => job.id === id && !isRunning(job)),
    isStarting: undo.isPending,
    undo: undo.mutate,
  }
}
