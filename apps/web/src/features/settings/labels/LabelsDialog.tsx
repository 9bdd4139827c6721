import type { Question } from '@postil/contract/questions.ts'
import type { LabelsSnapshot, SchemaPlan } from '@postil/contract/schema-versions.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { ChevronDownIcon, ChevronUpIcon } from '#ui/marks/icons.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { applyPlan, planChanges } from './api.ts'
import styles from './LabelsDialog.module.css'
import { changesOf, isComplete, type LabelFate, type LabelRow, newRow, rowsOf, targetsOf } from './label-edit.ts'
import { PlanSummary } from './PlanSummary.tsx'

type Props = {
  readonly datasetId: string
  readonly question: Question
  readonly labels: LabelsSnapshot
  /** Called when the labels have changed. */
  readonly onApplied: () => void
  readonly onClose: () => void
}

/** Changes the labels of a question: first the labels, then what the changes would affect. */
export const LabelsDialog = ({ datasetId, question, labels, onApplied, onClose }: Props) => {
  const { t } = useTranslation('features/settings')
  const [rows, setRows] = useState(() => rowsOf(labels))
  const [note, setNote] = useState('')
  const changes = changesOf(question.id, labels, rows)
  const plan = useMutation({ mutationFn: () => planChanges(datasetId, changes) })
  const apply = useMutation({
    mutationFn: (token: string) => applyPlan(datasetId, token, note),
    onSuccess: () => {
      onApplied()
      onClose()
    },
  })
  const planned: SchemaPlan | undefined = plan.data
  const token = planned?.token ?? null
  const edit = (key: string, change: Partial<LabelRow>) =>
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={t('labels.title', { title: question.title })}
      actions={
        planned === undefined ? (
          <>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button
              look="primary"
              busy={plan.isPending}
              disabled={!isComplete(rows) || changes.length === 0}
              onClick={() => plan.mutate()}
            >
              {t('labels.review')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={plan.reset}>{t('labels.back')}</Button>
            <Button look="primary" busy={apply.isPending} disabled={token === null} onClick={() => token && apply.mutate(token)}>
              {t('labels.apply')}
            </Button>
          </>
        )
      }
    >
      {planned === undefined ? (
        <div className={styles['form']}>
          <p className={styles['hint']}>{t('labels.hint')}</p>
          <ol className={styles['list']} aria-label={t('labels.list')}>
            {rows.map((row, index) => (
              <Row
                key={row.key}
                row={row}
                rows={rows}
                index={index}
                onEdit={(change) => edit(row.key, change)}
                onRows={setRows}
              />
            ))}
          </ol>
          <div>
            <Button onClick={() => setRows([...rows, newRow(rows)])}>{t('labels.add')}</Button>
          </div>
          {plan.error && <ProblemNotice error={plan.error} isAlert />}
        </div>
      ) : (
        <div className={styles['form']}>
          <PlanSummary plan={planned} question={question} />
          <Input
            label={t('labels.note')}
            hint={t('labels.noteHint')}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
          {apply.error && <ProblemNotice error={apply.error} isAlert />}
        </div>
      )}
    </Dialog>
  )
}

type RowProps = {
  readonly row: LabelRow
  readonly rows: readonly LabelRow[]
  readonly index: number
  readonly onEdit: (change: Partial<LabelRow>) => void
  readonly onRows: (rows: readonly LabelRow[]) => void
}

const Row = ({ row, rows, index, onEdit, onRows }: RowProps) => {
  const { t } = useTranslation('features/settings')
  const { key, name, fate, isNew, parts } = row
  const move = (by: -1 | 1): void => {
    const rest = rows.filter((one) => one.key !== key)
    onRows([...rest.slice(0, index + by), row, ...rest.slice(index + by)])
  }
  const fates: { value: LabelFate; label: string }[] = [
    { value: 'keep', label: t('labels.keep') },
    { value: 'retire', label: t('labels.retire') },
    { value: 'split', label: t('labels.split') },
    ...targetsOf(rows, row).map((target) => ({
      value: `into:${target.key}` as const,
      label: t('labels.into', { label: target.name.trim() }),
    })),
  ]
  return (
    <li className={styles['row']} data-fate={fate === 'keep' ? undefined : ''}>
      <Input
        label={isNew ? t('labels.newName') : t('labels.name', { label: key })}
        hideLabel
        value={name}
        maxLength={200}
        disabled={fate.startsWith('into:')}
        onChange={({ target }) => onEdit({ name: target.value })}
      />
      {isNew ? (
        <IconButton icon={CloseIcon} label={t('labels.remove')} onClick={() => onRows(rows.filter((one) => one.key !== key))} />
      ) : (
        <Select
          label={t('labels.fate', { label: key })}
          value={fate}
          options={fates}
          onChange={(next) => onEdit({ fate: next })}
        />
      )}
      {fate === 'split' && (
        <div className={styles['parts']}>
          <Input
            label={t('labels.parts', { label: key })}
            hint={t('labels.partsHint')}
            value={parts}
            onChange={({ target }) => onEdit({ parts: target.value })}
          />
        </div>
      )}
      <IconButton
        icon={ChevronUpIcon}
        label={t('labels.up', { label: name })}
        aria-disabled={index === 0 || undefined}
        onClick={() => index > 0 && move(-1)}
      />
      <IconButton
        icon={ChevronDownIcon}
        label={t('labels.down', { label: name })}
        aria-disabled={index === rows.length - 1 || undefined}
        onClick={() => index < rows.length - 1 && move(1)}
      />
    </li>
  )
}
