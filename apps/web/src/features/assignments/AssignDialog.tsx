import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { dueTime, today } from '#lib/due-date.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Switch } from '#ui/controls/Switch.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { Target } from './api.ts'
import styles from './assignments.module.css'
import { PeopleList, type Person } from './PeopleList.tsx'
import { useChange } from './use-change.ts'

type Props = {
  readonly datasetId: string
  readonly people: readonly Person[]
  readonly target: Target
  /** The number of records. */
  readonly count: number
  readonly onClose: () => void
}

/** Assigns records to people, evenly or to everyone. */
export const AssignDialog = ({ datasetId, people, target, count, onClose }: Props) => {
  const { t } = useTranslation('features/assignments')
  const [picked, setPicked] = useState<readonly string[]>([])
  const [mode, setMode] = useState<'split' | 'all'>('split')
  const [due, setDue] = useState('')
  const [replace, setReplace] = useState(true)
  const { change, isStarting } = useChange(datasetId)
  const due_at = due === '' ? null : dueTime(due)
  const assign = async (): Promise<void> => {
    const body = { ...target, user_ids: [...picked], mode, replace, due_at }
    if (await change({ do: 'assign', body })) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('assign.title', { count, formatted: formatCount(count) })}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" busy={isStarting} disabled={picked.length === 0} onClick={() => void assign()}>
            {t('assign.action')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <PeopleList label={t('assign.people')} people={people} picked={picked} onPick={setPicked} />
        <div className={styles['mode']}>
          <Select
            label={t('assign.mode')}
            value={mode}
            options={[
              { value: 'split', label: t('assign.split') },
              { value: 'all', label: t('assign.all') },
            ]}
            onChange={setMode}
          />
        </div>
        <Input
          label={t('assign.due')}
          hint={t('assign.dueHint')}
          type="date"
          min={today()}
          value={due}
          onChange={({ target: input }) => setDue(input.value)}
        />
        <Switch label={t('assign.replace')} checked={replace} onChange={setReplace} />
      </div>
    </Dialog>
  )
}
