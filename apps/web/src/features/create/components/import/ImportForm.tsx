import type { Dataset } from '@postil/contract/datasets.ts'
import { hasLines } from '@postil/contract/files/import-formats.ts'
import type { Import } from '@postil/contract/files/imports.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { usePreserveForm } from '#lib/unsaved-forms.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { ArrowRightIcon } from '#ui/marks/icons.tsx'
import { withLatePeople } from '../../annotators.ts'
import { checkMapping, importsQuery, startImportJob } from '../../api.ts'
import { recordOf } from '../../preview-record.ts'
import type { Parts, Target, TargetsOfFile } from '../../targets.ts'
import { mappingOfTargets, targetOf, unfilledFields, withProposedTargets, withTarget } from '../../targets.ts'
import { useAnnotators } from '../../use-annotators.ts'
import { hasNoRecords, useCheck } from '../../use-file-check.ts'
import type { Upload } from '../../use-upload.ts'
import type { FileMappingBody } from '../../wire.ts'
import bar from '../CreateBar.module.css'
import styles from '../NewDatasetPage.module.css'
import { Fault } from '../sections/Fault.tsx'
import parts from '../sections/Parts.module.css'
import { Preview } from '../sections/Preview.tsx'
import { AnnotatorsChoice } from '../source/AnnotatorsChoice.tsx'
import { Columns, FirstRows } from '../source/Columns.tsx'
import { FileLine } from '../source/FileLine.tsx'
import { ReadingChoice } from '../source/ReadingChoice.tsx'
import { RecognizedFormat } from '../source/RecognizedFormat.tsx'
import { SheetChoice } from '../source/SheetChoice.tsx'
import { CheckResult } from './CheckResult.tsx'

type Props = {
  /** The key under which the form is stored when the session ends. */
  readonly name: string
  readonly dataset: Dataset
  readonly of: Parts
  readonly initialTargets: TargetsOfFile
  /** The latest imports into the dataset. */
  readonly imports: readonly Import[]
  readonly upload: Upload
  /** Called when the form is finished: the file is being imported or was removed. */
  readonly onDone: () => void
}

/** Maps the columns of a file to an existing dataset. */
export const ImportForm = ({ name, dataset, of, initialTargets, imports, upload, onDone }: Props) => {
  const { t } = useTranslation('features/create')
  const client = useQueryClient()
  const [formState, setFormState] = useState(initialTargets)
  const { targets } = formState
  const file = withLatePeople(formState.file, imports)
  usePreserveForm(
    name,
    useCallback(() => formState, [formState]),
  )
  const [busy, setBusy] = useState(false)
  const [isReading, setIsReading] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const { people, choices, annotators, isLoading } = useAnnotators(file, dataset.workspace_id, formState.annotators)
  const mapping = { ...mappingOfTargets(targets, file.columns), ...(annotators && { annotators: [...annotators] }) }
  const unfilledRequired = unfilledFields(targets, of)
  const canStart = mapping.fields.length > 0 && unfilledRequired.length === 0
  const ask = (fileId: string, body: FileMappingBody, signal: AbortSignal) => checkMapping(dataset.id, fileId, body, signal)
  const check = useCheck(file, canStart ? mapping : null, ask)
  const isBlocked = !canStart || isReading || isLoading || hasNoRecords(check)
  const records = (check.found?.records ?? []).map((record) => recordOf(record, of.questions))

  const roleChoices: readonly { readonly value: Target; readonly label: string }[] = [
    { value: 'none', label: t('role.none') },
    { value: 'id', label: t('role.id') },
    { value: 'record', label: t('target.record') },
    ...of.fields.map(({ name, title }) => ({ value: `fields:${name}` as const, label: t('target.field', { title }) })),
    ...of.questions.map(({ name, title }) => ({ value: `suggestions:${name}` as const, label: t('target.question', { title }) })),
    ...of.properties.map(({ name, title }) => ({ value: `metadata:${name}` as const, label: t('target.metadata', { title }) })),
  ]
  const start = async (): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await startImportJob(dataset.id, file.id, mapping)
      await client.invalidateQueries({ queryKey: importsQuery(dataset.id).queryKey })
      onDone()
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  return (
    <form
      className={styles['columns']}
      aria-label={t('imports.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBlocked && !busy) void start()
      }}
    >
      <section aria-labelledby="import-columns" className={parts['section']}>
        <h2 ref={heading} id="import-columns" tabIndex={-1} className={parts['sectionTitle']}>
          {t('columns.title')}
        </h2>
        <FileLine file={file} upload={upload} onRemove={onDone} />
        <SheetChoice
          key={file.id}
          datasetId={dataset.id}
          file={file}
          onFile={(found) => setFormState(withProposedTargets(found))}
          onReading={setIsReading}
        />
        <ReadingChoice datasetId={dataset.id} file={file} onFile={(found) => setFormState(withProposedTargets(found))} />
        <RecognizedFormat
          datasetId={dataset.id}
          file={file}
          annotators={annotators}
          onFile={(found) => setFormState(withProposedTargets(found))}
        />
        <Columns columns={file.columns}>
          {(column) => (
            <Select<Target>
              label={t('columns.becomes', { column: column.name })}
              value={targetOf(targets, column.name)}
              options={roleChoices}
              onChange={(target) => setFormState({ ...formState, targets: withTarget(targets, column.name, target) })}
            />
          )}
        </Columns>
        <FirstRows file={file} />
        <AnnotatorsChoice
          file={file}
          people={people}
          choices={choices}
          onChange={(changed) => setFormState({ ...formState, annotators: changed })}
        />
        {!canStart && (
          <Fault>
            {unfilledRequired.length > 0
              ? t('fault.unfilled', { fields: unfilledRequired.map(({ title }) => title).join(', ') })
              : t('fault.noFieldFromFile')}
          </Fault>
        )}
      </section>
      <div className={styles['beside']}>
        <div className={styles['sticky']}>
          <CheckResult
            check={check}
            isRequested={canStart}
            hasLines={hasLines(file.format)}
            hasIds={mapping.external_id !== null || mapping.record_id !== null}
          />
          <Preview fields={of.fields} questions={of.questions} records={records} isReal />
        </div>
      </div>
      <div className={bar['bar']}>
        {problem !== null && (
          <div className={bar['problem']}>
            <ProblemNotice error={problem} isAlert />
          </div>
        )}
        <p className={bar['state']}>{hasNoRecords(check) && t('bar.noRecords')}</p>
        <Button size="main" type="submit" look="primary" icon={ArrowRightIcon} busy={busy} blocked={isBlocked}>
          {t('imports.start')}
        </Button>
      </div>
    </form>
  )
}
