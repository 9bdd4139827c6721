import { hasLines } from '@postil/contract/files/import-formats.ts'
import type { ImportFile } from '@postil/contract/files/imports.ts'
import type { Home } from '@postil/contract/home.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { checkHubPlan } from '#features/hub/public.ts'
import { useFieldChecks } from '#field-types/use-field-checks.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { checkPlan } from '../../api.ts'
import type { Draft, Role } from '../../draft.ts'
import { hasSources, roleOf, roles, withoutFile, withRole, withSheet } from '../../draft.ts'
import { faultsOf } from '../../faults.ts'
import { previewParts, recordOf, sampleRecord } from '../../preview-record.ts'
import { formKey, usePreserveDatasetForm } from '../../unsaved-form.ts'
import { useAnnotators } from '../../use-annotators.ts'
import type { FileInForm } from '../../use-creation.ts'
import { useCreation } from '../../use-creation.ts'
import type { Check } from '../../use-file-check.ts'
import { hasNoRecords, useCheck } from '../../use-file-check.ts'
import type { Upload } from '../../use-upload.ts'
import { planOf } from '../../wire.ts'
import { CreateBar } from '../CreateBar.tsx'
import { CheckResult } from '../import/CheckResult.tsx'
import { LeaveGuard } from '../LeaveGuard.tsx'
import styles from '../NewDatasetPage.module.css'
import { AnnotatorsChoice } from '../source/AnnotatorsChoice.tsx'
import { Columns, FirstRows } from '../source/Columns.tsx'
import { FileLine } from '../source/FileLine.tsx'
import { ReadingChoice } from '../source/ReadingChoice.tsx'
import { RecognizedFormat } from '../source/RecognizedFormat.tsx'
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
  /** The name of the file that the draft's columns come from. Null if there is none or it is unknown. */
  readonly fileName?: string | null
  /** The source of the records, shown instead of the file. */
  readonly sourceLine?: ReactNode
  /** Whether another part of the source is selected and still loading. */
  readonly isReading?: boolean
  /** The draft that an external source proposed. If the user hasn't changed it, nothing is lost when the user leaves the page. */
  readonly proposed?: Draft | null
  readonly onChange: (draft: Draft) => void
  readonly onFile: (file: FileInForm | null) => void
  readonly onSaved: (id: string) => void
}

/** Moves the focus to the first problem. */
const focusFirstFault = (form: HTMLElement | null): void => {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus())
}

/**
 * Returns what the submit button creates (`makes`). If the draft's columns come from a file that isn't loaded, also returns the
 * name of that file.
 */
const beginsWith = (file: FileInForm | null, draft: Draft, fileName: string | null) => {
  if (file !== null) return { makes: 'createAndImport', awaitedFileName: null } as const
  const awaitedFileName = hasSources(draft) ? fileName : null
  return { makes: awaitedFileName === null ? 'create' : 'createEmpty', awaitedFileName } as const
}

/** Returns the records of the preview: the records that the file would create or, without a file, sample records. */
const previewRecords = (
  file: FileInForm | null,
  { found }: Check,
  shown: ReturnType<typeof previewParts>,
  sampleText: (title: string) => string,
) =>
  file === null
    ? [sampleRecord(shown, sampleText)]
    : (found?.records ?? []).map((record) => recordOf(record, shown.questions, file.hub !== undefined))

/**
 * Returns the roles that a column can have. A column can contain scores only if another column contains suggestions, because each
 * score belongs to a suggestion.
 */
const rolesIn = ({ questions }: Draft): readonly Role[] =>
  questions.some(({ source }) => source !== null) ? roles : roles.filter((role) => role !== 'score')

const rowsAreLines = (file: FileInForm): boolean => file.hub === undefined && hasLines(file.format)

/** The form of a new dataset, next to a preview of its first records as annotators will see them. */
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
  const [hasTried, setHasTried] = useState(false)
  const [readsSheet, setReadsSheet] = useState(false)
  const [saved, setSaved] = useState({ draft: initial, file })
  const isProposed = proposed !== null && JSON.stringify(proposed) === JSON.stringify(draft)
  const isLeaving = useRef(false)
  const { busy, problem, create, save } = useCreation()

  const isNew = initial === null
  useEffect(() => {
    // When the form replaces the start page, the pressed button disappears, and the focus would be lost.
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
  const { prepared } = useFieldChecks(draft.fields.map(({ settings }) => settings))
  const nameContext = { taken, hasFile: file !== null }
  const faults = faultsOf(draft, nameContext)
  const canCheck = file !== null && faults.parts.size === 0 && draft.fields.some(({ source }) => source !== null)
  const uploaded = file?.hub ? null : file
  const { people, choices, annotators, isLoading } = useAnnotators(uploaded, draft.workspaceId, draft.annotators)
  const hub = file?.hub
  const ask: typeof checkPlan = hub ? (_id, body, signal) => checkHubPlan(hub, file.token, body, signal) : checkPlan
  const check = useCheck(file, canCheck ? planOf(draft, annotators) : null, ask)
  const isFruitless = hasNoRecords(check)
  const isWaiting = isReading || readsSheet || isLoading
  const isBlocked = isWaiting || isFruitless
  const shown = previewParts(draft)
  const records = previewRecords(file, check, shown, (title) => t('preview.sample', { title }))
  const created = { draft, file, storedId, annotators }
  const isStarted = beginsWith(file, draft, fileName)

  const submit = async (): Promise<void> => {
    setHasTried(true)
    await prepared
    const { count } = faultsOf(draft, nameContext)
    if (count > 0) {
      announce(t('bar.faults', { count }), 'assertive')
      focusFirstFault(form.current)
      return
    }
    const id = await create(created)
    if (id === null) return
    isLeaving.current = true
    await navigate({ to: '/dataset/$datasetId/import', params: { datasetId: id } })
  }
  const saveDraft = async (): Promise<void> => {
    await prepared
    const { name, workspace, guidelines, minSubmitted, parts: faulty } = faultsOf(draft, nameContext)
    if (name !== null || workspace !== null || guidelines !== null || minSubmitted !== null || faulty.size > 0) {
      setHasTried(true)
      focusFirstFault(form.current)
      return
    }
    const id = await save(created)
    if (id === null) return
    setSaved({ draft, file })
    announce(t('bar.saved'))
    if (id === storedId) return
    isLeaving.current = true
    onSaved(id)
    await navigate({ to: '/new/{-$datasetId}', params: { datasetId: id }, replace: true })
    isLeaving.current = false
  }
  const readAgain = (found: ImportFile): void => {
    onFile(found)
    onChange(withSheet(draft, found.columns))
  }
  const section = { draft, faults, hasTried, onChange }
  const isSaved = JSON.stringify(saved.draft) === JSON.stringify(draft) && (saved.file === file || sourceLine !== undefined)
  const hasChanges = !isSaved && !isProposed
  usePreserveDatasetForm(formKey(storedId, file?.hub ? file.name : null), { draft, file }, hasChanges)

  return (
    <form
      ref={form}
      className={styles['columns']}
      aria-label={t('title')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (busy === null && !isBlocked) void submit()
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
              file={uploaded}
              upload={upload}
              awaited={isStarted.awaitedFileName}
              onRemove={() => {
                onFile(null)
                onChange(withoutFile(draft))
                // A file picker takes the place of the removed file, so the focus moves to the picker's button.
                requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[data-look] button')?.focus())
              }}
            />
          )}
          {uploaded && (
            <>
              <SheetChoice key={uploaded.id} datasetId={null} file={uploaded} onFile={readAgain} onReading={setReadsSheet} />
              <ReadingChoice datasetId={null} file={uploaded} onFile={readAgain} />
              <RecognizedFormat datasetId={null} file={uploaded} annotators={annotators} onFile={readAgain} />
            </>
          )}
          {file && (
            <>
              <Columns columns={file.columns}>
                {(column) => (
                  <Select<Role>
                    label={t('columns.becomes', { column: column.name })}
                    value={roleOf(draft, column.name)}
                    options={rolesIn(draft).map((role) => ({ value: role, label: t(`role.${role}`) }))}
                    onChange={(role) => onChange(withRole(draft, column, role))}
                  />
                )}
              </Columns>
              <FirstRows file={file} />
            </>
          )}
          {uploaded && (
            <AnnotatorsChoice
              file={uploaded}
              people={people}
              choices={choices}
              onChange={(changed) => onChange({ ...draft, annotators: changed })}
            />
          )}
        </section>
        <FieldsSection {...section} />
        <QuestionsSection {...section} columns={file?.columns ?? []} />
        <PropertiesSection {...section} />
        <GuidelinesSection {...section} />
      </div>
      <div className={styles['beside']}>
        <div className={styles['sticky']}>
          {file && <CheckResult check={check} isRequested={canCheck} hasLines={rowsAreLines(file)} />}
          <Preview {...shown} records={records} isReal={file !== null} />
        </div>
      </div>
      <CreateBar
        busy={busy}
        isWaiting={isWaiting}
        problem={problem}
        faultCount={hasTried ? faults.count : 0}
        hasNoRecords={isFruitless}
        submitLabel={isStarted.makes}
        isDraft={storedId !== null}
        onSave={() => void saveDraft()}
      />
    </form>
  )
}
