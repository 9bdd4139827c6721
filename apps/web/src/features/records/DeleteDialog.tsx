import { deletionDelay } from '@postil/contract/wire/limits.ts'
import type { Target } from '#features/assignments/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { useDeletion } from './deletion.ts'

type Props = {
  readonly datasetId: string
  readonly target: Target
  /** The number of records. */
  readonly count: number
  readonly onClose: () => void
  /** Called when the deletion is scheduled. */
  readonly onDeleted: () => void
}

/** Asks for confirmation before records are deleted. */
export const DeleteDialog = ({ datasetId, target, count, onClose, onDeleted }: Props) => {
  const { t } = useTranslation('features/records')
  const { remove, isStarting } = useDeletion(datasetId)
  const counted = { count, shown: formatCount(count) }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('delete.title', counted)}
      actions={
        <>
          <Button onClick={onClose}>{t('delete.cancel')}</Button>
          <Button
            look="danger"
            busy={isStarting}
            onClick={() => void remove(target).then((isScheduled) => isScheduled && onDeleted())}
          >
            {t('delete.action', counted)}
          </Button>
        </>
      }
    >
      <p>{t('delete.hint', { seconds: formatCount(deletionDelay) })}</p>
      <p>{t('delete.kept')}</p>
    </Dialog>
  )
}
