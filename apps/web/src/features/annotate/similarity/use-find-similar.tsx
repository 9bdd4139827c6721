import type { Similarity } from '@postil/contract/annotation-query/grammar.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Suspense, useState } from 'react'
import { vectorsQuery } from '#lib/api/dataset-queries.ts'
import { similarDefault } from '#lib/constants.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { recordQuery } from '../api.ts'

const FindSimilarDialog = lazyPart(
  () => import('./FindSimilarDialog.tsx').then((module) => ({ default: module.FindSimilarDialog })),
  { reportsFailure: true },
)

type Options = { readonly record: AnnotationRecord; readonly onFind: (similarity: Similarity) => void }

/**
 * Finds records similar to a given record: directly if the dataset has only one vector, otherwise after the user has chosen
 * one. `find` is null if the dataset has no vectors.
 */
export const useFindSimilar = ({
  record,
  onFind,
}: Options): { readonly find: (() => void) | null; readonly dialog: ReactNode } => {
  const queryClient = useQueryClient()
  const { data: vectors = [] } = useQuery(vectorsQuery(record.dataset_id))
  const [isAsking, setAsking] = useState(false)
  const [only] = vectors
  if (!only) return { find: null, dialog: null }

  const start = (choice: Pick<Similarity, 'vector' | 'order'>): void => {
    setAsking(false)
    // The record is already loaded, so the bar above the list can show its text at once.
    queryClient.setQueryData(recordQuery(record.id).queryKey, record)
    onFind({ recordId: record.id, limit: similarDefault, ...choice })
  }
  return {
    find: () => (vectors.length === 1 ? start({ vector: only.name, order: 'most' }) : setAsking(true)),
    dialog: isAsking && (
      <Suspense>
        <FindSimilarDialog vectors={vectors} onFind={start} onClose={() => setAsking(false)} />
      </Suspense>
    ),
  }
}
