import { useTranslation } from '#i18n/use-translation.ts'
import { useUnsentCounts } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, leastDestructive } from '#ui/overlays/Dialog.tsx'

type Props = {
  readonly open: boolean
  readonly onStay: () => void
  readonly onLeave: () => void
  readonly busy: boolean
}

/** Shown on sign-out if some answers haven't reached the server. They can still be sent while the dialog is open. */
export const SignOutDialog = ({ open, onStay, onLeave, busy }: Props) => {
  const { t } = useTranslation()
  const counts = useUnsentCounts()
  const { waiting, issues } = counts ?? { waiting: 0, issues: 0 }
  const isAnyUnsent = waiting + issues > 0
  return (
    <Dialog
      open={open && counts !== null}
      onOpenChange={(next) => !next && onStay()}
      title={isAnyUnsent ? t('unsent.title') : t('unsent.titleSent')}
      actions={
        <>
          <Button onClick={onLeave} busy={busy}>
            {isAnyUnsent ? t('unsent.leave') : t('user.signOut')}
          </Button>
          <Button look="primary" onClick={onStay} {...leastDestructive}>
            {t('unsent.stay')}
          </Button>
        </>
      }
    >
      <div role="status">
        {waiting > 0 && <p>{t('unsent.explain', { count: waiting })}</p>}
        {issues > 0 && <p>{t('unsent.explainIssue', { count: issues })}</p>}
        {!isAnyUnsent && <p>{t('unsent.sent')}</p>}
      </div>
    </Dialog>
  )
}
