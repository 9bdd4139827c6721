import { useRef, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { guidelinesMax, minSubmittedMax, minSubmittedMin, nameMax } from '#lib/constants.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { TextArea } from '#ui/controls/TextArea.tsx'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from '../NewDatasetPage.module.css'
import { NewWorkspace } from '../NewWorkspace.tsx'
import parts from './Parts.module.css'
import type { SectionProps } from './section.ts'

type Props = SectionProps & {
  readonly workspaces: readonly { readonly id: string; readonly name: string }[]
  /** Whether the workspace can't be changed, because a stored draft can't move to another workspace. */
  readonly isFixed: boolean
}

/**
 * Returns the error for the workspace select. If the user has no workspace, the error is shown even before the first attempt to
 * save.
 */
const useWorkspaceFault = (workspaces: Props['workspaces'], isOwner: boolean, isMissing: boolean): string | null => {
  const { t } = useTranslation('features/create')
  if (workspaces.length === 0 && !isOwner) return t('fault.noWorkspace')
  return isMissing ? t('fault.workspace') : null
}

/** The name and the workspace of the dataset. */
export const AboutSection = ({ draft, faults, hasTried, onChange, workspaces, isFixed }: Props) => {
  const { t } = useTranslation('features/create')
  const isOwner = useUser().role === 'owner'
  const [isAdding, setAdding] = useState(false)
  const shouldRestoreFocus = useRef(false)
  const leave = (): void => {
    shouldRestoreFocus.current = true
    setAdding(false)
  }
  /** When the form for a new workspace closes, its focused element disappears. The focus then moves to the workspace select. */
  const focusList = (place: HTMLDivElement | null): void => {
    if (place === null || !shouldRestoreFocus.current) return
    shouldRestoreFocus.current = false
    place.querySelector('select')?.focus()
  }
  const isMissing = faults.name === 'required' && !hasTried
  const fault = useWorkspaceFault(workspaces, isOwner, hasTried && faults.workspace !== null)
  const choices = workspaces.map(({ id, name }) => ({ value: id, label: name }))
  const none = { value: '', label: t('about.chooseWorkspace') }
  return (
    <section aria-labelledby="new-about" className={styles['about']}>
      <h2 id="new-about" className={styles['aboutTitle']}>
        <VisuallyHidden>{t('about.title')}</VisuallyHidden>
      </h2>
      <Input
        label={t('about.name')}
        error={faults.name && !isMissing ? t(`fault.${faults.name}`, { max: nameMax }) : null}
        value={draft.name}
        autoComplete="off"
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      {isFixed ? (
        <Input label={t('about.workspace')} readOnly value={workspaces.find(({ id }) => id === draft.workspaceId)?.name ?? ''} />
      ) : isAdding ? (
        <NewWorkspace
          isMissing={hasTried && faults.workspace !== null}
          onCreated={(workspaceId) => {
            onChange({ ...draft, workspaceId })
            leave()
          }}
          onCancel={leave}
        />
      ) : (
        <div ref={focusList} className={styles['workspace']}>
          <LabelledSelect
            label={t('about.workspace')}
            value={draft.workspaceId}
            options={draft.workspaceId === '' ? [none, ...choices] : choices}
            fault={fault}
            onChange={(workspaceId) => onChange({ ...draft, workspaceId })}
          />
          {isOwner && (
            <Button look="quiet" icon={PlusIcon} className={styles['newWorkspace']} onClick={() => setAdding(true)}>
              {t('workspace.new')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** The guidelines for annotators, and how many answers each record needs. */
export const GuidelinesSection = ({ draft, faults, onChange }: SectionProps) => {
  const { t } = useTranslation('features/create')
  return (
    <section aria-labelledby="new-work" className={parts['section']}>
      <h2 id="new-work" className={classNames(parts['sectionTitle'], styles['spaced'])}>
        {t('work.title')}
      </h2>
      <div className={styles['stack']}>
        <TextArea
          label={t('work.guidelines')}
          hint={t('work.guidelinesHint')}
          error={faults.guidelines && t('fault.tooLong', { max: guidelinesMax })}
          value={draft.guidelines}
          onChange={(event) => onChange({ ...draft, guidelines: event.target.value })}
        />
        <Input
          label={t('work.minSubmitted')}
          hint={t('work.minSubmittedHint')}
          error={
            faults.minSubmitted && t(`fault.${faults.minSubmitted}`, { min: minSubmittedMin, max: formatCount(minSubmittedMax) })
          }
          type="number"
          inputMode="numeric"
          min={minSubmittedMin}
          max={minSubmittedMax}
          step={1}
          className={styles['number']}
          value={draft.minSubmitted}
          onChange={(event) => onChange({ ...draft, minSubmitted: event.target.value })}
        />
      </div>
    </section>
  )
}
