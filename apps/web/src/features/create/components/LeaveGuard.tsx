import type { RefObject } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useLeaveConfirmation } from '#lib/use-leave-confirmation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, leastDestructive } from '#ui/overlays/Dialog.tsx'

type Props = {
  readonly hasChanges: boolean
  /** Whether the page is navigating away after it has saved the changes. No confirmation is needed in that case. */
  readonly isLeaving: RefObject<boolean>
}

/** Asks for confirmation before unsaved changes are lost. */
export const LeaveGuard = ({ hasChanges, isLeaving }: Props) => {
  const { t } = useTranslation('features/create')
  const needsConfirmation = (): boolean => hasChanges && !isLeaving.current
  const question = useLeaveConfirmation({ needsConfirmation, beforeUnload: needsConfirmation })
  if (question === null) return null
  return (
    <Dialog
      open
      onOpenChange={question.stay}
      title={t('leave.title')}
      actions={
        <>
          <Button onClick={question.leave}>{t('leave.leave')}</Button>
          <Button look="primary" onClick={question.stay} {...leastDestructive}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.explain')}</p>
    </Dialog>
  )
}
