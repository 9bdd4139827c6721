import { AnswerCounts, AssignmentCounts, DeletionCounts, GoldCounts, ImportCounts, type Job } from '@postil/contract/jobs.ts'
import type { JobRow } from '#platform/jobs/operations.ts'

export const printJob = ({ id, state, done, total, reason, reason_parts, args }: JobRow): Job => {
  const counts = ImportCounts.safeParse(args.import)
  const answers = AnswerCounts.safeParse(args.answers)
  const assignments = AssignmentCounts.safeParse(args.assignments)
  const deletions = DeletionCounts.safeParse(args.deletions)
  const gold = GoldCounts.safeParse(args.gold)
  return {
    id,
    status: state,
    done,
    total,
    reason,
    ...(reason !== null && { reason_parts: [...(reason_parts ?? [])] }),
    ...(counts.success && { import: counts.data }),
    ...(answers.success && { answers: answers.data }),
    ...(assignments.success && { assignments: assignments.data }),
    ...(deletions.success && { deletions: deletions.data }),
    ...(gold.success && { gold: gold.data }),
  }
}
