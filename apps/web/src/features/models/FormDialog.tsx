import type { ReactNode } from 'react'
import { useId } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './models.module.css'

type Props = {
  readonly title: string
  readonly submitLabel: string
  readonly look?: 'primary' | 'danger'
  readonly busy: boolean
  readonly blocked?: boolean
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog with a form and one action, which Enter also triggers. */
export const FormDialog = ({
  title,
  submitLabel,
  look = 'primary',
  busy,
  blocked = false,
  onSubmit,
  onClose,
  children,
}: Props) => {
  const { t } = useTranslation('features/models')
  const id = useId()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={id} look={look} busy={busy} blocked={blocked}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && !blocked) onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
