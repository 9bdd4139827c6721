import { hasLines } from '@postil/contract/files/import-formats.ts'
import type { Home } from '@postil/contract/home.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { checkHubPlan } from '#features/hub/service.ts'
import { useFieldChecks } from '#field-types/use-field-checks.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { checkPlan } from '../../api.ts'
import type { Draft, Role } from '../../draft.ts'
import { hasSources, roleOf, roles, withoutFile, withRole, withSheet } from '../../draft.ts'
import { faultsOf } from '../../faults.ts'
import { nameOfForm, useKeepingForm } from '../../kept-form.ts'
import { previewParts, recordOf, sampleRecord } from '../../preview-record.ts'
import { useCheck } from '../../use-check.ts'
import type { FileInForm } from '../../use-creation.ts'
import { useCreation } from '../../use-creation.ts'
import type { Upload } from '../../use-upload.ts'
import { planOf } from '../../wire.ts'
import { CreateBar } from '../CreateBar.tsx'
import { CheckResult } from '../import/CheckResult.tsx'
import { LeaveGuard } from '../LeaveGuard.tsx'
import styles from '../NewDatasetPage.module.css'
import { Columns, FirstRows } from '../source/Columns.tsx'
import { FileLine } from '../source/FileLine.tsx'
import { SheetChoice } from '../source/SheetChoice.tsx'
import { AboutSection, GuidelinesSection } from './AboutSection.tsx'
import { FieldsSection } from './FieldsSection.tsx'
import parts from './Parts.module.css'
import { Preview } from './Preview.tsx'
import { PropertiesSection } from './PropertiesSection.tsx'
import { QuestionsSection } from './QuestionsSection.tsx'

type Props = {
  readonly home: Home
  readonly storedId: string | null
  readonly initial: Draft | null
  readonly draft: Draft
  readonly file: FileInForm | null
  readonly upload: Upload
  /** The name of the file that columns of the draft are from; null where none are, or where it is not known. */
  readonly fileName?: string | null
  /** Says where the records come from, in place of the line of a file. */
  readonly sourceLine?: ReactNode
  /** Another part of the source is chosen than the form shows, and on its way. */
  readonly isReading?: boolean
  /** What a source from elsewhere has proposed: leaving it is no loss. */
  readonly proposed?: Draft | null
  readonly onChange: (draft: Draft) => void
  readonly onFile: (file: FileInForm | null) => void
  readonly onSaved: (id: string) => void
}

/** Leads to the first thing that is in the way. */
const focusFirstFault = (form: HTMLElement | null): void => {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus())
}

/** What the dataset begins with, and the file that its columns are from where it is not there any more. */
const beginsWith = (file: FileInForm | null, draft: Draft, fileName: string | null) => {
  if (file !== null) return { makes: 'createAndImport', awaited: null } as const
  const awaited = hasSources(draft) ? fileName : null
  return { makes: awaited === null ? 'create' : 'createEmpty', awaited } as const
}

const rowsAreLines = (file: FileInForm): boolean => file.hub === undefined && hasLines(file.format)

/** Everything that a new dataset consists of, beside its first records as annotators will see them. */
export const DatasetForm = ({
  home,
  storedId,
  initial,
  draft,
  file,
  upload,
  fileName = null,
  sourceLine,
  isReading = false,
  proposed = null,
  onChange,
  onFile,
  onSaved,
}: Props) => {
  const { t } = useTranslation('features/create')
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [tried, setTried] = useState(false)
  const [readsSheet, setReadsSheet] = useState(false)
  const isWaiting = isReading || readsSheet
  const [saved, setSaved] = useState({ draft: initial, file })
  const isProposed = proposed !== null && JSON.stringify(proposed) === JSON.stringify(draft)
  const isLeaving = useRef(false)
  const { busy, problem, create, save } = useCreation()

  const isNew = initial === null
  useEffect(() => {
    // Where the form takes the place of the choice, the focus would be lost with the button that was pressed.
    if (isNew) form.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [isNew])

  const taken = useMemo(
    () =>
      new Set(
        home.datasets
          .filter(({ dataset }) => dataset.workspace_id === draft.workspaceId && dataset.id !== storedId)
          .map(({ dataset }) => dataset.name),
      ),
    [home, draft.workspaceId, storedId],
  )
  const { prepared } = useFieldChecks(draft.fields.map(({ settings }) => settings.type))
  const around = { taken, hasFile: file !== null }
  const faults = faultsOf(draft, around)
  const canCheck = file !== null && faults.parts.size === 0 && draft.fields.some(({ source }) => source !== null)
  const hub = file?.hub
  const ask: typeof checkPlan = hub ? (_id, body, signal) => checkHubPlan(hub, file.token, body, signal) : checkPlan
  const check = useCheck(file, canCheck ? planOf(draft) : null, ask)
  const shown = previewParts(draft)
  const planned = check.found?.records ?? []
  const records =
    file === null
      ? [sampleRecord(shown, (title) => t('preview.sample', { title }))]
      : planned.map((record) => recordOf(record, shown.questions))
  const made = { draft, file, storedId }
  const begins = beginsWith(file, draft, fileName)

  const submit = async (): Promise<void> => {
    setTried(true)
    await prepared
    const { count } = faultsOf(draft, around)
    if (count > 0) {
      announce(t('bar.faults', { count }), 'assertive')
      focusFirstFault(form.current)
      return
    }
    const id = await create(made)
    if (id === null) return
    isLeaving.current = true
    await navigate({ to: '/dataset/$datasetId/import', params: { datasetId: id } })
  }
  const saveDraft = async (): Promise<void> => {
    await prepared
    const { name, workspace, guidelines, minSubmitted, parts: faulty } = faultsOf(draft, around)
    if (name !== null || workspace !== null || guidelines !== null || minSubmitted !== null || faulty.size > 0) {
      setTried(true)
      focusFirstFault(form.current)
      return
    }
    const id = await save(made)
    if (id === null) return
    setSaved({ draft, file })
    announce(t('bar.saved'))
    if (id === storedId) return
    isLeaving.current = true
    onSaved(id)
    await navigate({ to: '/new/{-$datasetId}', params: { datasetId: id }, replace: true })
    isLeaving.current = false
  }
  const section = { draft, faults, tried, onChange }
  const isSaved = JSON.stringify(saved.draft) === JSON.stringify(draft) && (saved.file === file || sourceLine !== undefined)
  const hasChanges = !isSaved && !isProposed
  useKeepingForm(nameOfForm(storedId, file?.hub ? file.name : null), { draft, file }, hasChanges)

  return (
    <form
      ref={form}
      className={styles['columns']}
      aria-label={t('title')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (busy === null && !isWaiting) void submit()
      }}
    >
      <LeaveGuard hasChanges={hasChanges} isLeaving={isLeaving} />
      <div className={styles['parts']}>
        <AboutSection {...section} workspaces={home.workspaces} isFixed={storedId !== null} />
        <section aria-labelledby="new-file" className={parts['section']}>
          <h2 id="new-file" className={parts['sectionTitle']}>
            {sourceLine ? t('columns.titleHub') : t('columns.title')}
          </h2>
          {sourceLine ?? (
            <FileLine
              file={file?.hub ? null : file}
              upload={upload}
              awaited={begins.awaited}
              onRemove={() => {
                onFile(null)
                onChange(withoutFile(draft))
                // The place for another file stands where this one stood.
                requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[data-look] button')?.focus())
              }}
            />
          )}
          {file && !file.hub && (
            <SheetChoice
              key={file.id}
              datasetId={null}
              file={file}
              onFile={(found) => {
                onFile(found)
                onChange(withSheet(draft, found.columns))
              }}
              onReading={setReadsSheet}
            />
          )}
          {file && (
            <>
              <Columns columns={file.columns}>
                {(column) => (
                  <Select<Role>
                    label={t('columns.becomes', { column: column.name })}
                    value={roleOf(draft, column.name)}
                    options={roles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
                    onChange={(role) => onChange(withRole(draft, column, role))}
                  />
                )}
              </Columns>
              <FirstRows file={file} />
            </>
          )}
        </section>
        <FieldsSection {...section} />
        <QuestionsSection
          {...section}
          valuesOf={(name) => file?.columns.find((column) => column.name === name)?.values ?? null}
        />
        <PropertiesSection {...section} />
        <GuidelinesSection {...section} />
      </div>
      <div className={styles['beside']}>
        <div className={styles['sticky']}>
          {file && <CheckResult check={check} isAsked={canCheck} hasLines={rowsAreLines(file)} />}
          <Preview {...shown} records={records} isReal={file !== null} />
        </div>
      </div>
      <CreateBar
        busy={busy}
        isWaiting={isWaiting}
        problem={problem}
        faultCount={tried ? faults.count : 0}
        makes={begins.makes}
        isDraft={storedId !== null}
        onSave={() => void saveDraft()}
      />
    </form>
  )
}
