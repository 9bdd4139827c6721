import { useTranslation } from 'react-i18next'
import { formatCount } from '#i18n/format.ts'
import type { AnswerStatus } from '#lib/outbox/types.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

type Props = {
  readonly status: AnswerStatus
  readonly count: number
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before very many records are answered with one press. */
export const ConfirmMany = ({ status, count, onConfirm, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  const words = t(`bulk.confirm.${status}`, { count, formatted: formatCount(count) })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words}
      actions={
        <>
          <Button onClick={onClose}>{t('bulk.cancel')}</Button>
          <Button look="primary" onClick={onConfirm}>
            {status === 'submitted' ? t('action.submit') : status === 'discarded' ? t('action.discard') : t('action.saveDraft')}
          </Button>
        </>
      }
    >
      <p>{t('bulk.confirmHint')}</p>
    </Dialog>
  )
}
