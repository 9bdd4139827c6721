import type { Home } from '@postil/contract/home.ts'
import type { HubPreview, HubRepository } from '@postil/contract/hub.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { HubToken } from '#features/hub/service.ts'
import { HubStart, HubTokenForm, previewQuery, repositoryQuery } from '#features/hub/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { Button } from '#ui/Button.tsx'
import { ProblemNotice } from '#ui/ProblemNotice.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Draft } from '../draft.ts'
import { emptyDraft, withColumns, withOtherColumns, withSources } from '../draft.ts'
import type { HubInForm } from '../use-creation.ts'
import { useUpload } from '../use-upload.ts'
import { DatasetForm } from './DatasetForm.tsx'
import { HubLine, type Place } from './HubLine.tsx'
import styles from './NewDatasetPage.module.css'

type Props = {
  readonly home: Home
  /** Id of the repository. */
  readonly name: string
  /** The part of it that is asked for; null: the first. */
  readonly wanted: { readonly subset: string | null; readonly split: string | null }
  readonly storedId: string | null
  /** The draft that is taken up again; null for a new one. */
  readonly initial: Draft | null
  readonly onSaved: (id: string) => void
}

/** The part that is asked for, or the first that is like it. */
const placeIn = ({ splits }: HubRepository, wanted: Props['wanted']): Place | null =>
  splits.find(({ subset, split }) => subset === wanted.subset && split === wanted.split) ??
  splits.find(({ subset }) => subset === wanted.subset) ??
  splits.find(({ split }) => split === wanted.split) ??
  splits[0] ??
  null

const inForm = ({ name, subset, split, columns, rows }: HubPreview, token: HubToken): HubInForm => ({
  id: JSON.stringify([name, subset, split]),
  name,
  hub: { name, subset, split },
  token,
  columns,
  rows,
})

const hasParts = ({ fields, questions, properties }: Draft): boolean => fields.length + questions.length + properties.length > 0

type Shown = {
  readonly source: HubInForm
  readonly draft: Draft
  readonly proposed: Draft
  /** Its parts were somebody's before there was this form. */
  readonly isTakenUp: boolean
}

/** What a form begins with. */
const begin = (source: HubInForm, before: Draft): Shown => {
  const draft = hasParts(before)
    ? withSources(before, source.columns)
    : withColumns({ ...before, name: before.name || (source.name.split('/').at(-1) ?? '') }, source.columns)
  return { source, draft, proposed: draft, isTakenUp: hasParts(before) }
}

const partsOf = ({ fields, questions, properties, externalId }: Draft): string =>
  JSON.stringify([fields, questions, properties, externalId])

/** What a form goes on with when another part of the dataset is chosen: what was said of it stays, as far as its columns are there. */
const goOn = (source: HubInForm, { source: last, draft, proposed, isTakenUp }: Shown): Shown => {
  const fresh = begin(source, { ...draft, fields: [], questions: [], properties: [], externalId: null })
  if (isTakenUp || partsOf(draft) !== partsOf(proposed))
    return { ...fresh, draft: withOtherColumns(draft, last.columns, source.columns), isTakenUp }
  return JSON.stringify(draft) === JSON.stringify(proposed) ? fresh : { ...fresh, proposed }
}

/** Why there is nothing to make a dataset of, and a place for another id. */
type TroubleProps = {
  readonly name: string
  readonly error: Error | null
  /** What was asked with; null: nothing of the caller's. */
  readonly token: HubToken
  readonly onToken: (token: string) => void
  readonly onRetry: () => void
}

const Trouble = ({ name, error, token, onToken, onRetry }: TroubleProps) => {
  const { t } = useTranslation('features/hub')
  const status = error instanceof ApiError ? error.status : null
  const isMissing = status === 404
  const words = error === null ? t('source.none') : problemMessage(error)
  // Our own server is well: it says so of the hub, and what it says names the cause.
  const reason = status === 503 && error instanceof ApiError ? error.detail : null
  return (
    <div className={styles['trouble']}>
      <ProblemNotice
        error={error}
        isAlert
        action={error && !isMissing ? <Button onClick={onRetry}>{t('source.retry')}</Button> : null}
      >
        {isMissing ? t('source.missing', { name }) : status === 503 ? t('source.silent') : words}
        {reason && <span className={styles['reason']}>{reason}</span>}
      </ProblemNotice>
      {isMissing && <HubTokenForm isRefused={token !== null} onToken={onToken} />}
      <HubStart />
    </div>
  )
}

/** Makes a dataset of a dataset of the hub. */
export const HubSession = ({ home, name, wanted, storedId, initial, onSaved }: Props) => {
  const [chosen, setChosen] = useState(wanted)
  const [token, setToken] = useState<HubToken>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const upload = useUpload(null, () => undefined)
  const repository = useQuery(repositoryQuery(name, token))
  const place = repository.data ? placeIn(repository.data, chosen) : null
  const preview = useQuery(previewQuery(place && { name, ...place }, token))
  const found = preview.data ? inForm(preview.data, token) : null
  if (found !== null && found.id !== shown?.source.id) {
    const [only, ...others] = home.workspaces
    const workspaceId = only !== undefined && others.length === 0 ? only.id : ''
    setShown(shown ? goOn(found, shown) : begin(found, initial ?? { ...emptyDraft, workspaceId }))
  }
  const error = repository.error ?? preview.error
  const isEmpty = repository.data !== undefined && place === null
  const again = () => void (repository.error ? repository.refetch() : preview.refetch())
  if (error || isEmpty) return <Trouble name={name} error={error} token={token} onToken={setToken} onRetry={again} />
  if (shown === null || !repository.data || !preview.data || place === null) return <Skeleton height="9lh" />
  return (
    <div aria-busy={preview.isPlaceholderData}>
      <DatasetForm
        home={home}
        storedId={storedId}
        initial={initial}
        draft={shown.draft}
        proposed={shown.proposed}
        file={shown.source}
        upload={upload}
        isReading={preview.isPlaceholderData}
        sourceLine={
          <HubLine
            repository={repository.data}
            preview={preview.data}
            place={place}
            wanted={chosen}
            onPlace={(next) => setChosen({ subset: next.subset, split: next.split })}
          />
        }
        onChange={(draft) => setShown({ ...shown, draft })}
        onFile={() => undefined}
        onSaved={onSaved}
      />
    </div>
  )
}
