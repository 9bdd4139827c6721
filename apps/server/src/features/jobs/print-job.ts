import {
  AnswerCounts,
  AssignmentCounts,
  DeletionCounts,
  GoldCounts,
  GoldModel,
  ImportCounts,
  type Job,
  PublishCounts,
  RelabelCounts,
} from '@postil/contract/jobs.ts'
import { z } from 'zod'
import type { JobRow } from '#platform/jobs/operations.ts'

const GoldModels = z.array(GoldModel)

export const printJob = ({ id, state, done, total, reason, reason_parts, args }: JobRow): Job => {
  const counts = ImportCounts.safeParse(args.import)
  const answers = AnswerCounts.safeParse(args.answers)
  const assignments = AssignmentCounts.safeParse(args.assignments)
  const deletions = DeletionCounts.safeParse(args.deletions)
  const gold = GoldCounts.safeParse(args.gold)
  const models = GoldModels.safeParse(args.models)
  const relabeled = RelabelCounts.safeParse(args.relabeled)
  const published = PublishCounts.safeParse(args.published)
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
    ...(models.success && { gold_models: models.data }),
    ...(relabeled.success && { relabeled: relabeled.data }),
    ...(published.success && { published: published.data }),
  }
}
