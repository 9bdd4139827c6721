import { useTranslation } from '#i18n/use-translation.ts'
import type { UnsentCounts } from '#lib/outbox/outbox.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog, doesLeast } from '#ui/overlays/Dialog.tsx'

type Props = {
  readonly unsent: UnsentCounts | null
  readonly onStay: () => void
  readonly onLeave: () => void
  readonly busy: boolean
}

export const SignOutDialog = ({ unsent, onStay, onLeave, busy }: Props) => {
  const { t } = useTranslation()
  return (
    <Dialog
      open={unsent !== null}
      onOpenChange={(open) => !open && onStay()}
      title={t('unsent.title')}
      actions={
        <>
          <Button onClick={onLeave} busy={busy}>
            {t('unsent.leave')}
          </Button>
          <Button look="primary" onClick={onStay} {...doesLeast}>
            {t('unsent.stay')}
          </Button>
        </>
      }
    >
      {unsent && unsent.waiting > 0 && <p>{t('unsent.explain', { count: unsent.waiting })}</p>}
      {unsent && unsent.troubled > 0 && <p>{t('unsent.explainTroubled', { count: unsent.troubled })}</p>}
    </Dialog>
  )
}
