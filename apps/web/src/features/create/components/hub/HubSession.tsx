import type { HubPreview } from '@postil/contract/files/hub.ts'
import type { Home } from '@postil/contract/home.ts'
import { useState } from 'react'
import type { HubToken } from '#features/hub/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { freeNameIn } from '../../dataset-name.ts'
import type { Draft } from '../../draft.ts'
import { emptyDraft, newDraft, withColumns, withOtherColumns, withSources } from '../../draft.ts'
import type { UnsavedForm } from '../../unsaved-form.ts'
import { formKey, useUnsavedDatasetForm } from '../../unsaved-form.ts'
import type { HubSourceInForm } from '../../use-creation.ts'
import type { RequestedSplit } from '../../use-hub-source.ts'
import { useHubSource } from '../../use-hub-source.ts'
import { useUpload } from '../../use-upload.ts'
import { DatasetForm } from '../sections/DatasetForm.tsx'
import styles from '../source/FileLine.module.css'
import { HubProblem } from './HubProblem.tsx'
import { HubSourceInfo } from './HubSourceInfo.tsx'

type Props = {
  readonly home: Home
  /** The repository's ID. */
  readonly name: string
  /** The requested part. Null for the first one. */
  readonly requestedPart: RequestedSplit
  readonly storedId: string | null
  /** The draft to continue; null for a new one. */
  readonly initial: Draft | null
  readonly onSaved: (id: string) => void
}

const toFormSource = ({ name, subset, split, columns, rows }: HubPreview, token: HubToken): HubSourceInForm => ({
  id: JSON.stringify([name, subset, split]),
  name,
  hub: { name, subset, split },
  token,
  columns,
  rows,
})

const hasParts = ({ fields, questions, properties }: Draft): boolean => fields.length + questions.length + properties.length > 0

type FormState = {
  readonly source: HubSourceInForm
  readonly draft: Draft
  readonly proposed: Draft
  /** Whether the draft already had fields, questions or metadata properties when the form was opened. */
  readonly isResumed: boolean
}

/** Returns the initial state of a form. */
const startForm = (source: HubSourceInForm, before: Draft): FormState => {
  const draft = hasParts(before)
    ? withSources(before, source.columns)
    : withColumns({ ...before, name: before.name || (source.name.split('/').at(-1) ?? '') }, source.columns)
  return { source, draft, proposed: draft, isResumed: hasParts(before) }
}

/** Restores the state that a form had before its user had to sign in again. Null if the form had no Hub source. */
const restoreForm = (restored: UnsavedForm | null): FormState | null =>
  restored?.file?.hub ? { source: restored.file, draft: restored.draft, proposed: emptyDraft, isResumed: true } : null

const partsOf = ({ fields, questions, properties, externalId }: Draft): string =>
  JSON.stringify([fields, questions, properties, externalId])

/**
 * Returns the state of a form after another part of the dataset was selected. Changes are kept for columns that exist in the
 * new part.
 */
const switchPart = (source: HubSourceInForm, { source: last, draft, proposed, isResumed }: FormState): FormState => {
  const newState = startForm(source, { ...draft, fields: [], questions: [], properties: [], externalId: null })
  if (isResumed || partsOf(draft) !== partsOf(proposed))
    return { ...newState, draft: withOtherColumns(draft, last.columns, source.columns), isResumed }
  return JSON.stringify(draft) === JSON.stringify(proposed) ? newState : { ...newState, proposed }
}

/**
 * Returns the form's state for a draft that may have been edited before its source loaded. The proposed columns don't include
 * these edits.
 */
const resumeDraft = (source: HubSourceInForm, pendingDraft: Draft, stored: Draft): FormState => {
  const shown = startForm(source, pendingDraft)
  return pendingDraft === stored ? shown : { ...shown, proposed: startForm(source, stored).draft }
}

/** Returns the form with the latest data from the Hub, or null if nothing has changed. */
const withSource = (found: HubSourceInForm, shown: FormState | null, start: () => FormState): FormState | null => {
  if (shown === null) return start()
  if (found.id !== shown.source.id) return switchPart(found, shown)
  return found.token === shown.source.token ? null : { ...shown, source: found }
}

/** Creates a dataset from a Hub dataset. */
export const HubSession = ({ home, name, requestedPart, storedId, initial, onSaved }: Props) => {
  const { t } = useTranslation('features/hub')
  const restored = useUnsavedDatasetForm(formKey(storedId, name))
  const [shown, setShown] = useState<FormState | null>(() => restoreForm(restored))
  const source = useHubSource(name, shown?.source.hub ?? requestedPart)
  const { part, problem, token } = source
  const [stored] = useState(initial)
  /** A draft whose source has not loaded yet. */
  const [pendingDraft, setPendingDraft] = useState(restored?.draft ?? stored)
  const upload = useUpload(null, () => undefined)
  const found = part && toFormSource(part.preview, token)
  const next =
    found &&
    withSource(found, shown, () => {
      const newState = { ...newDraft(home), name: freeNameIn(home, found.name.split('/').at(-1) ?? '') }
      return resumeDraft(found, pendingDraft ?? newState, stored ?? newState)
    })
  if (next) setShown(next)
  const draft = shown?.draft ?? pendingDraft
  const problemNotice = problem && <HubProblem name={name} source={source} problem={problem} isFixed={draft !== null} />
  if (draft === null) return problemNotice ?? <Skeleton height="9lh" />
  if (problem === null && part === null) return <Skeleton height="9lh" />
  return (
    <>
      {problemNotice}
      <div aria-busy={source.isStale}>
        <DatasetForm
          home={home}
          storedId={storedId}
          initial={stored}
          draft={draft}
          proposed={shown?.proposed ?? null}
          file={part && shown ? shown.source : null}
          fileName={name}
          upload={upload}
          isReading={source.isStale}
          sourceLine={
            part ? (
              <HubSourceInfo {...part} wanted={source.chosen} onPartChange={source.choose} />
            ) : (
              <p className={styles['hint']}>{t('source.later', { name })}</p>
            )
          }
          onChange={(next) => (shown ? setShown({ ...shown, draft: next }) : setPendingDraft(next))}
          onFile={() => undefined}
          onSaved={onSaved}
        />
      </div>
    </>
  )
}
