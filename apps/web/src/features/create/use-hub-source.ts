import type { HubPreview, HubRepository } from '@postil/contract/files/hub.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HubToken } from '#features/hub/service.ts'
import { previewQuery, repositoryQuery } from '#features/hub/service.ts'

export type Place = { readonly subset: string; readonly split: string }
/** The part of a dataset that is asked for; null: anything. */
export type Wanted = { readonly subset: string | null; readonly split: string | null }
/** What is in the way; `nothing`: there is nothing in the dataset. */
export type Trouble = Error | 'nothing'

/** The part that is asked for, or the first that is like it. */
const placeIn = ({ splits }: HubRepository, wanted: Wanted): Place | null =>
  splits.find(({ subset, split }) => subset === wanted.subset && split === wanted.split) ??
  splits.find(({ subset }) => subset === wanted.subset) ??
  splits.find(({ split }) => split === wanted.split) ??
  splits[0] ??
  null

export type HubPart = { readonly repository: HubRepository; readonly preview: HubPreview; readonly place: Place }
export type HubSourceState = {
  /** The part as the hub shows it; null before that. */
  readonly part: HubPart | null
  /** It is told until it is known to be gone. */
  readonly trouble: Trouble | null
  readonly isAsking: boolean
  /** Another part is chosen than `part` has. */
  readonly isOld: boolean
  readonly token: HubToken
  readonly chosen: Wanted
  readonly choose: (wanted: Wanted) => void
  readonly setToken: (token: string) => void
  readonly again: () => void
}

/** A dataset of the hub, and one part of it. @param wanted the part to begin with */
export const useHubSource = (name: string, wanted: Wanted): HubSourceState => {
  const [chosen, choose] = useState(wanted)
  const [token, setToken] = useState<HubToken>(null)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const repository = useQuery(repositoryQuery(name, token))
  const place = repository.data ? placeIn(repository.data, chosen) : null
  const preview = useQuery(previewQuery(place && { name, ...place }, token))
  const isEmpty = repository.data !== undefined && place === null
  const fault = repository.error ?? preview.error ?? (isEmpty ? 'nothing' : null)
  const part =
    fault === null && repository.data && preview.data && place
      ? { repository: repository.data, preview: preview.data, place }
      : null
  if ((fault !== null || part !== null) && trouble !== fault) setTrouble(fault)
  return {
    part,
    trouble,
    isAsking: repository.isFetching || preview.isFetching,
    isOld: preview.isPlaceholderData,
    token,
    chosen,
    choose,
    setToken,
    again: () => void (preview.error && !repository.error ? preview.refetch() : repository.refetch()),
  }
}
