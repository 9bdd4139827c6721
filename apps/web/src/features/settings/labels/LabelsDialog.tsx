import type { Question } from '@postil/contract/questions.ts'
import type { LabelsSnapshot, SchemaPlan } from '@postil/contract/schema-versions.ts'
import { useMutation } from '@tanstack/react-query'
import { createContext, use, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { settingsSlice } from '#question-types/settings-registry.ts'
import { maxLabelLength } from '#question-types/shared/labels/labels-text.ts'
import { OptionRows, type RowPart } from '#question-types/shared/options/OptionRows.tsx'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { applyPlan, planChanges } from './api.ts'
import styles from './LabelsDialog.module.css'
import {
  changesOf,
  isComplete,
  isMerged,
  type LabelFate,
  type LabelRow,
  newRow,
  parentsFor,
  repeatedNames,
  rowsOf,
  targetsOf,
} from './label-edit.ts'
import { PlanSummary } from './PlanSummary.tsx'

type Props = {
  readonly datasetId: string
  readonly question: Question
  readonly labels: LabelsSnapshot
  /** Called when the labels have changed. */
  readonly onApplied: () => void
  readonly onClose: () => void
}

/** A dialog that changes the labels of a question. It first shows the labels, and then what the changes would affect. */
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
  const canNest = settingsSlice(question.settings).canNest === true
  const planned: SchemaPlan | undefined = plan.data
  const token = planned?.token ?? null
  const faults = new Map([...repeatedNames(rows)].map(([key, label]) => [key, t('labels.twice', { label })]))
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
          <AllRows value={rows}>
            <OptionRows
              title={t('labels.list')}
              isTitleHidden
              rows={rows}
              onRows={setRows}
              nameOf={({ isNew, key }) => (isNew ? t('labels.newName') : t('labels.name', { label: key }))}
              faults={faults}
              newRow={newRow}
              canRemove={({ isNew }) => isNew}
              isDisabled={isMerged}
              maxLength={maxLabelLength}
              Beside={canNest ? FateOrParent : Fate}
              Below={FateDetails}
            />
          </AllRows>
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

/**
 * All rows. Only the rows of merged and new labels read this context, so the other rows aren't rendered again when the list
 * changes.
 */
const AllRows = createContext<readonly LabelRow[]>([])

const Fate: RowPart<LabelRow> = ({ row: { key, isNew, fate }, onEdit }) => {
  const { t } = useTranslation('features/settings')
  if (isNew) return null
  const fates: { value: LabelFate; label: string }[] = [
    { value: 'keep', label: t('labels.keep') },
    { value: 'retire', label: t('labels.retire') },
    { value: 'split', label: t('labels.split') },
    { value: 'into:', label: t('labels.merge') },
  ]
  return (
    <span className={styles['fate']}>
      <Select<LabelFate>
        label={t('labels.fate', { label: key })}
        value={fate.startsWith('into:') ? 'into:' : fate}
        options={fates}
        onChange={(next) => onEdit({ fate: next })}
      />
    </span>
  )
}

/** The label above a new one. */
const Parent: RowPart<LabelRow> = ({ row, onEdit }) => {
  const { t } = useTranslation('features/settings')
  const parents = parentsFor(use(AllRows), row)
  const isKnown = parents.some(({ key }) => key === row.parent)
  return (
    <span className={styles['fate']}>
      <Select
        label={row.text.trim() === '' ? t('labels.parentOfNew') : t('labels.parent', { label: row.text.trim() })}
        value={isKnown ? row.parent : ''}
        options={[
          { value: '', label: t('labels.top') },
          ...parents.map(({ key, text }) => ({ value: key, label: t('labels.below', { label: text.trim() }) })),
        ]}
        onChange={(parent) => onEdit({ parent })}
      />
    </span>
  )
}

const FateOrParent: RowPart<LabelRow> = (props) => (props.row.isNew ? <Parent {...props} /> : <Fate {...props} />)

/** The label into which a label is merged, or the labels into which it is split. */
const FateDetails: RowPart<LabelRow> = ({ row, onEdit }) =>
  row.fate === 'split' ? <Parts row={row} onEdit={onEdit} /> : isMerged(row) ? <MergeTarget row={row} onEdit={onEdit} /> : null

const Parts: RowPart<LabelRow> = ({ row: { key, parts }, onEdit }) => {
  const { t } = useTranslation('features/settings')
  return (
    <div className={styles['details']}>
      <Input
        label={t('labels.parts', { label: key })}
        hint={t('labels.partsHint')}
        value={parts}
        onChange={({ target }) => onEdit({ parts: target.value })}
      />
    </div>
  )
}

const MergeTarget: RowPart<LabelRow> = ({ row, onEdit }) => {
  const { t } = useTranslation('features/settings')
  const targets = targetsOf(use(AllRows), row)
  return (
    <div className={styles['details']}>
      <Select<LabelFate>
        label={t('labels.into', { label: row.key })}
        value={row.fate}
        options={[
          { value: 'into:', label: t('labels.chooseTarget') },
          ...targets.map(({ key, text }) => ({ value: `into:${key}` as const, label: text.trim() })),
        ]}
        onChange={(fate) => onEdit({ fate })}
      />
    </div>
  )
}
