import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { datasetQuery, isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import type { Annotation } from './use-annotation.ts'

/**
 * Reads the dataset again when the server reports that a record or the whole list no longer exists, because the dataset may have
 * been deleted. If it was, the screen says so.
 */
export const useDeletionCheck = ({ shown }: Pick<Annotation, 'shown'>, datasetId: string): void => {
  const queryClient = useQueryClient()
  const { problem } = shown
  const rejections = [...useOutbox().lines.values()].filter(
    ({ dataset_id, issue }) => dataset_id === datasetId && issue?.kind === 'rejected' && issue.status === 404,
  ).length
  const isDoubtful = rejections > 0 || isUnknownDataset(problem)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every further rejection and every failed load is checked
  useEffect(() => {
    if (isDoubtful) void queryClient.invalidateQueries({ queryKey: datasetQuery(datasetId).queryKey, exact: true })
  }, [queryClient, datasetId, isDoubtful, rejections, problem])
}
