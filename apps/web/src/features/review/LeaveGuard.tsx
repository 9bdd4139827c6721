import { useTranslation } from '#i18n/use-translation.ts'
import { useLeaveConfirmation } from '#lib/use-leave-confirmation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, leastDestructive } from '#ui/overlays/Dialog.tsx'
import type { UnsentGold } from './gold-sender.ts'

type Props = {
  readonly unsent: readonly UnsentGold[]
  /** Whether the reviewer has typed something that isn't stored yet. */
  readonly hasTyped: boolean
}

/**
 * Asks for confirmation before the reviewer leaves the page with decisions that aren't stored. Leaving doesn't cancel a request
 * in progress.
 */
export const LeaveGuard = ({ unsent, hasTyped }: Props) => {
  const { t } = useTranslation('features/review')
  const isUnsaved = hasTyped || unsent.some(({ state, next }) => state.kind !== 'sending' || next !== null)
  const confirmation = useLeaveConfirmation({
    needsConfirmation: (from, to) => isUnsaved && from !== to,
    beforeUnload: isUnsaved,
  })
  if (confirmation === null) return null
  return (
    <Dialog
      open
      onOpenChange={confirmation.stay}
      title={t('leave.title')}
      actions={
        <>
          <Button onClick={confirmation.leave}>{t('leave.leave')}</Button>
          <Button look="primary" onClick={confirmation.stay} {...leastDestructive}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.explain')}</p>
    </Dialog>
  )
}
