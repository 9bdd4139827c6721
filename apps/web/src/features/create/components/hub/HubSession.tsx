import type { HubPreview } from '@postil/contract/files/hub.ts'
import type { Home } from '@postil/contract/home.ts'
import { useState } from 'react'
import type { HubToken } from '#features/hub/service.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import type { Draft } from '../../draft.ts'
import { emptyDraft, freshDraft, withColumns, withOtherColumns, withSources } from '../../draft.ts'
import type { KeptForm } from '../../kept-form.ts'
import { nameOfForm, useKeptForm } from '../../kept-form.ts'
import type { HubInForm } from '../../use-creation.ts'
import type { Wanted } from '../../use-hub-source.ts'
import { useHubSource } from '../../use-hub-source.ts'
import { useUpload } from '../../use-upload.ts'
import { DatasetForm } from '../sections/DatasetForm.tsx'
import styles from '../source/FileLine.module.css'
import { HubLine } from './HubLine.tsx'
import { HubTrouble } from './HubTrouble.tsx'

type Props = {
  readonly home: Home
  /** Id of the repository. */
  readonly name: string
  /** The part of it that is asked for; null: the first. */
  readonly wanted: Wanted
  readonly storedId: string | null
  /** The draft that is taken up again; null for a new one. */
  readonly initial: Draft | null
  readonly onSaved: (id: string) => void
}

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

/** What a form held before its user had to sign in again. */
const again = (kept: KeptForm | null): Shown | null =>
  kept?.file?.hub ? { source: kept.file, draft: kept.draft, proposed: emptyDraft, isTakenUp: true } : null

const partsOf = ({ fields, questions, properties, externalId }: Draft): string =>
  JSON.stringify([fields, questions, properties, externalId])

/** What a form goes on with when another part of the dataset is chosen: what was said of it stays, as far as its columns are there. */
const goOn = (source: HubInForm, { source: last, draft, proposed, isTakenUp }: Shown): Shown => {
  const fresh = begin(source, { ...draft, fields: [], questions: [], properties: [], externalId: null })
  if (isTakenUp || partsOf(draft) !== partsOf(proposed))
    return { ...fresh, draft: withOtherColumns(draft, last.columns, source.columns), isTakenUp }
  return JSON.stringify(draft) === JSON.stringify(proposed) ? fresh : { ...fresh, proposed }
}

/** What a draft begins with that was changed before its source was there: what is proposed is of how it was stored. */
const takeUp = (source: HubInForm, held: Draft, stored: Draft): Shown => {
  const shown = begin(source, held)
  return held === stored ? shown : { ...shown, proposed: begin(source, stored).draft }
}

/** The form with what the hub shows now; null where it has it already. */
const withSource = (found: HubInForm, shown: Shown | null, begun: () => Shown): Shown | null => {
  if (shown === null) return begun()
  if (found.id !== shown.source.id) return goOn(found, shown)
  return found.token === shown.source.token ? null : { ...shown, source: found }
}

/** Makes a dataset of a dataset of the hub. */
export const HubSession = ({ home, name, wanted, storedId, initial, onSaved }: Props) => {
  const { t } = useTranslation('features/hub')
  const kept = useKeptForm(nameOfForm(storedId, name))
  const [shown, setShown] = useState<Shown | null>(() => again(kept))
  const source = useHubSource(name, shown?.source.hub ?? wanted)
  const { part, trouble, token } = source
  const [stored] = useState(initial)
  /** A draft whose source was not there yet. */
  const [held, setHeld] = useState(kept?.draft ?? stored)
  const upload = useUpload(null, () => undefined)
  const found = part && inForm(part.preview, token)
  const next =
    found &&
    withSource(found, shown, () => {
      const fresh = freshDraft(home)
      return takeUp(found, held ?? fresh, stored ?? fresh)
    })
  if (next) setShown(next)
  const draft = shown?.draft ?? held
  const told = trouble && <HubTrouble name={name} source={source} trouble={trouble} isFixed={draft !== null} />
  if (draft === null) return told ?? <Skeleton height="9lh" />
  if (trouble === null && part === null) return <Skeleton height="9lh" />
  return (
    <>
      {told}
      <div aria-busy={source.isOld}>
        <DatasetForm
          home={home}
          storedId={storedId}
          initial={stored}
          draft={draft}
          proposed={shown?.proposed ?? null}
          file={part && shown ? shown.source : null}
          fileName={name}
          upload={upload}
          isReading={source.isOld}
          sourceLine={
            part ? (
              <HubLine {...part} wanted={source.chosen} onPlace={source.choose} />
            ) : (
              <p className={styles['hint']}>{t('source.later', { name })}</p>
            )
          }
          onChange={(next) => (shown ? setShown({ ...shown, draft: next }) : setHeld(next))}
          onFile={() => undefined}
          onSaved={onSaved}
        />
      </div>
    </>
  )
}
