import { AnswerCounts, ImportCounts, type Job } from '@postil/contract/jobs.ts'
import { readReason } from '@postil/contract/wire/reasons.ts'
import type { JobRow } from '#platform/jobs/operations.ts'

export const printJob = ({ id, state, done, total, reason, args }: JobRow): Job => {
  const counts = ImportCounts.safeParse(args.import)
  const answers = AnswerCounts.safeParse(args.answers)
  return {
    id,
    status: state,
    done,
    total,
    reason,
    ...(reason !== null && { reason_parts: [...readReason(reason)] }),
    ...(counts.success && { import: counts.data }),
    ...(answers.success && { answers: answers.data }),
  }
}
