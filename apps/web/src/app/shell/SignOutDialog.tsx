import { useTranslation } from '#i18n/use-translation.ts'
import { useUnsentCounts } from '#lib/outbox/use-outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, doesLeast } from '#ui/overlays/Dialog.tsx'

type Props = {
  readonly open: boolean
  readonly onStay: () => void
  readonly onLeave: () => void
  readonly busy: boolean
}

/** Asked while answers have not reached the server; they may reach it while one thinks about it. */
export const SignOutDialog = ({ open, onStay, onLeave, busy }: Props) => {
  const { t } = useTranslation()
  const counts = useUnsentCounts()
  const { waiting, troubled } = counts ?? { waiting: 0, troubled: 0 }
  const isAnyUnsent = waiting + troubled > 0
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
          <Button look="primary" onClick={onStay} {...doesLeast}>
            {t('unsent.stay')}
          </Button>
        </>
      }
    >
      <div role="status">
        {waiting > 0 && <p>{t('unsent.explain', { count: waiting })}</p>}
        {troubled > 0 && <p>{t('unsent.explainTroubled', { count: troubled })}</p>}
        {!isAnyUnsent && <p>{t('unsent.sent')}</p>}
      </div>
    </Dialog>
  )
}
