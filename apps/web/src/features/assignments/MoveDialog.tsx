import type { AssigneeSummary } from '@postil/contract/assignments.ts'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './assignments.module.css'
import { PeopleList, type Person } from './PeopleList.tsx'
import { useChange } from './use-change.ts'

type Props = {
  readonly datasetId: string
  readonly people: readonly Person[]
  readonly from: AssigneeSummary
  readonly onClose: () => void
}

/** Moves a person's remaining records to other people, or to nobody. */
export const MoveDialog = ({ datasetId, people, from: { user, remaining }, onClose }: Props) => {
  const { t } = useTranslation('features/assignments')
  const [picked, setPicked] = useState<readonly string[]>([])
  const { change, isStarting } = useChange(datasetId)
  const move = async (): Promise<void> => {
    const body = { from_user_id: user.id, to_user_ids: [...picked] }
    if (await change({ do: 'move', body })) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('move.title', { count: remaining, formatted: formatCount(remaining), name: user.username })}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" busy={isStarting} onClick={() => void move()}>
            {picked.length === 0 ? t('move.toNobody') : t('move.action')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['hint']}>{t('move.hint')}</p>
        <PeopleList
          label={t('move.people')}
          people={people.filter(({ id }) => id !== user.id)}
          picked={picked}
          onPick={setPicked}
        />
      </div>
    </Dialog>
  )
}
