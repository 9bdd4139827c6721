import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { AnswerStatus } from '#lib/outbox/types.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

type Props = {
  readonly status: AnswerStatus
  readonly count: number
  /** All that a search finds, which the server answers by itself; null for records of the page. */
  readonly matched: { readonly unsent: number; readonly isStarting: boolean } | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before very many records are answered with one press. */
export const ConfirmMany = ({ status, count, matched, onConfirm, onClose }: Props) => {
  const { t } = useTranslation('features/annotate')
  const words = t(`bulk.confirm.${status}`, { count, formatted: formatCount(count) })
  const unsent = matched?.unsent ?? 0
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words}
      actions={
        <>
          <Button onClick={onClose}>{t('bulk.cancel')}</Button>
          <Button look="primary" busy={matched?.isStarting ?? false} blocked={unsent > 0} onClick={onConfirm}>
            {status === 'submitted' ? t('action.submit') : status === 'discarded' ? t('action.discard') : t('action.saveDraft')}
          </Button>
        </>
      }
    >
      <p>{matched ? t('bulk.matched.hint') : t('bulk.confirmHint')}</p>
      {unsent > 0 && <p role="status">{t('bulk.matched.unsent', { count: unsent, formatted: formatCount(unsent) })}</p>}
    </Dialog>
  )
}
