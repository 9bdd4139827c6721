import { useBlocker } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

type Props = {
  readonly hasChanges: boolean
  /** The page itself goes elsewhere: what it holds is stored. */
  readonly isLeaving: RefObject<boolean>
}

/** Leaving with something that is kept nowhere asks first. */
export const LeaveGuard = ({ hasChanges, isLeaving }: Props) => {
  const { t } = useTranslation('features/create')
  const blocker = useBlocker({
    shouldBlockFn: () => hasChanges && !isLeaving.current,
    enableBeforeUnload: () => hasChanges && !isLeaving.current,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      open
      onOpenChange={blocker.reset}
      title={t('leave.title')}
      actions={
        <>
          <Button onClick={blocker.proceed}>{t('leave.leave')}</Button>
          <Button look="primary" onClick={blocker.reset}>
            {t('leave.stay')}
          </Button>
        </>
      }
    >
      <p>{t('leave.explain')}</p>
    </Dialog>
  )
}
