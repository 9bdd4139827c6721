import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'

type Props = { readonly unsent: number; readonly onStay: () => void; readonly onLeave: () => void; readonly busy: boolean }

export const SignOutDialog = ({ unsent, onStay, onLeave, busy }: Props) => {
  const { t } = useTranslation()
  return (
    <Dialog
      open={unsent > 0}
      onOpenChange={(open) => !open && onStay()}
      title={t('unsent.title')}
      actions={
        <>
          <Button onClick={onLeave} busy={busy}>
            {t('unsent.leave')}
          </Button>
          <Button look="primary" onClick={onStay}>
            {t('unsent.stay')}
          </Button>
        </>
      }
    >
      <p>{t('unsent.explain', { count: unsent })}</p>
    </Dialog>
  )
}
