import type { HubPreview, HubRepository } from '@postil/contract/files/hub.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HubToken } from '#features/hub/public.ts'
import { previewQuery, repositoryQuery } from '#features/hub/public.ts'

export type SplitRef = { readonly subset: string; readonly split: string }
/** The requested part of a dataset. Null accepts any part. */
export type RequestedSplit = { readonly subset: string | null; readonly split: string | null }
/** The problem; `nothing` means that the dataset is empty. */
export type HubSourceProblem = Error | 'nothing'

/**
 * Returns the requested part. If it doesn't exist, returns the first part with the same subset, otherwise the first one with the
 * same split, otherwise the first of all parts. Null if there are no parts.
 */
const findSplit = ({ splits }: HubRepository, requested: RequestedSplit): SplitRef | null =>
  splits.find(({ subset, split }) => subset === requested.subset && split === requested.split) ??
  splits.find(({ subset }) => subset === requested.subset) ??
  splits.find(({ split }) => split === requested.split) ??
  splits[0] ??
  null

export type HubPart = { readonly repository: HubRepository; readonly preview: HubPreview; readonly place: SplitRef }
export type HubSourceState = {
  /** The part as loaded from the Hub. Null until it is loaded. */
  readonly part: HubPart | null
  /** The problem to show. Kept until it is known to be solved. */
  readonly problem: HubSourceProblem | null
  readonly isAsking: boolean
  /** Whether a part other than `part` is selected. */
  readonly isStale: boolean
  readonly token: HubToken
  readonly chosen: RequestedSplit
  readonly choose: (requested: RequestedSplit) => void
  readonly setToken: (token: string) => void
  readonly retry: () => void
}

/** Loads a Hub dataset and the preview of one of its splits. @param requested the split that is selected first */
export const useHubSource = (name: string, requested: RequestedSplit): HubSourceState => {
  const [chosen, choose] = useState(requested)
  const [token, setToken] = useState<HubToken>(null)
  const [problem, setProblem] = useState<HubSourceProblem | null>(null)
  const repository = useQuery(repositoryQuery(name, token))
  const place = repository.data ? findSplit(repository.data, chosen) : null
  const preview = useQuery(previewQuery(place && { name, ...place }, token))
  const isEmpty = repository.data !== undefined && place === null
  const fault = repository.error ?? preview.error ?? (isEmpty ? 'nothing' : null)
  const part =
    fault === null && repository.data && preview.data && place
      ? { repository: repository.data, preview: preview.data, place }
      : null
  if ((fault !== null || part !== null) && problem !== fault) setProblem(fault)
  return {
    part,
    problem,
    isAsking: repository.isFetching || preview.isFetching,
    isStale: preview.isPlaceholderData,
    token,
    chosen,
    choose,
    setToken,
    retry: () => void (preview.error && !repository.error ? preview.refetch() : repository.refetch()),
  }
}
