import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { ShownLink } from '../../invitations-api.ts'
import styles from '../AdministrationPage.module.css'

type Props = {
  readonly title: string
  readonly explanation: string
  readonly shown: ShownLink
  readonly onClose: () => void
}

/** Shows a link that the server returns only once. */
export const LinkDialog = ({ title, explanation, shown, onClose }: Props) => {
  const { t } = useTranslation('features/administration')
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      actions={
        <Button look="primary" onClick={onClose}>
          {t('links.done')}
        </Button>
      }
    >
      <div className={styles['form']}>
        <p>{explanation}</p>
        <Input
          label={t('links.link')}
          hint={t('links.expires', { time: formatDateTime(shown.expires_at) })}
          readOnly
          value={shown.link}
          onFocus={(event) => event.target.select()}
          after={<CopyButton label={t('links.copy')} text={shown.link} />}
        />
      </div>
    </Dialog>
  )
}
