import type { Dataset } from '@postil/contract/datasets.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { useState } from 'react'
import { AssignDialog, useChange } from '#features/assignments/public.ts'
import { AnswersDialog, FillButton, RequestButton } from '#features/review/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import type { People } from './people.ts'
import styles from './RecordsPage.module.css'
import type { Selection } from './selection.ts'
import { useTotal } from './table/use-rows.ts'

type Props = {
  readonly dataset: Dataset
  readonly body: SearchBodyInput
  readonly people: People
  readonly selection: Selection
}

export const SelectionBar = ({ dataset, body, people, selection }: Props) => {
  const { t } = useTranslation('features/records')
  const [dialog, setDialog] = useState<'assign' | 'answers' | 'delete' | null>(null)
  const { change, isStarting } = useChange(dataset.id)
  const count = selection.count(useTotal(dataset.id, body) ?? 0)
  const { target } = selection
  if (target === null) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: the bar is not part of a form
    <div role="group" aria-label={t('select.bar')} className={styles['selection']}>
      <span role="status">{t('select.count', { count, shown: formatCount(count) })}</span>
      <Button onClick={() => setDialog('assign')}>{t('select.assign')}</Button>
      <Button look="quiet" busy={isStarting} onClick={() => void change({ do: 'unassign', body: target })}>
        {t('select.unassign')}
      </Button>
      <FillButton datasetId={dataset.id} target={target} onDone={selection.clear} />
      <RequestButton datasetId={dataset.id} target={target} count={count} onDone={selection.clear} />
      <Button look="quiet" onClick={() => setDialog('answers')}>
        {t('select.answers')}
      </Button>
      <Button look="quiet" onClick={() => setDialog('delete')}>
        {t('delete.open')}
      </Button>
      <Button look="quiet" onClick={selection.clear}>
        {t('select.clear')}
      </Button>
      {dialog === 'assign' && (
        <AssignDialog
          datasetId={dataset.id}
          people={people.members}
          target={target}
          count={count}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'answers' && (
        <AnswersDialog
          datasetId={dataset.id}
          people={people.all}
          target={target}
          count={count}
          onClose={() => setDialog(null)}
          onDone={selection.clear}
        />
      )}
      {dialog === 'delete' && (
        <DeleteDialog
          datasetId={dataset.id}
          target={target}
          count={count}
          onClose={() => setDialog(null)}
          onDeleted={() => {
            setDialog(null)
            selection.clear()
          }}
        />
      )}
    </div>
  )
}
