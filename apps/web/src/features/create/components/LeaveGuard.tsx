import type { RefObject } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { useLeaveQuestion } from '#lib/use-leave-question.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, doesLeast } from '#ui/overlays/Dialog.tsx'

type Props = {
  readonly hasChanges: boolean
  /** The page itself goes elsewhere: what it holds is stored. */
  readonly isLeaving: RefObject<boolean>
}

/** Leaving with something that is kept nowhere asks first. */
export const LeaveGuard = ({ hasChanges, isLeaving }: Props) => {
  const { t } = useTranslation('features/create')
  const isAsked = (): boolean => hasChanges && !isLeaving.current
  const question = useLeaveQuestion({ isAsked, beforeUnload: isAsked })
  if (question === null) return null
  return (
    <Dialog
      open
      onOpenChange={question.stay}
      title={t('leave.title')}
      actions={
        <>
          <Button onClick={question.leave}>{t('leave.leave')}</Button>
          <Button look="primary" onClick={question.stay} {...doesLeast}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.explain')}</p>
    </Dialog>
  )
}
