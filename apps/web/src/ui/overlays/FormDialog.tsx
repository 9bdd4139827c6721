import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '../controls/Button.tsx'
import { ProblemNotice } from '../feedback/ProblemNotice.tsx'
import { clearSuccess } from '../feedback/success-toast.ts'
import { Dialog } from './Dialog.tsx'
import styles from './FormDialog.module.css'

type Props = {
  readonly title: string
  readonly submitLabel: string
  readonly look?: 'primary' | 'danger'
  readonly busy: boolean
  readonly blocked?: boolean
  /** The error of the last attempt, or null. Omitted if errors are shown elsewhere. */
  readonly problem?: unknown
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
  blocked,
  problem = null,
  onSubmit,
  onClose,
  children,
}: Props) => {
  const { t } = useTranslation()
  const id = useId()
  const notice = useRef<HTMLDivElement>(null)
  const [isNoticeOutdated, setNoticeOutdated] = useState<unknown>(null)
  useEffect(clearSuccess, [])
  useEffect(() => {
    // In a long form the notice can be hidden below the buttons.
    if (problem !== null) notice.current?.scrollIntoView({ block: 'center' })
  }, [problem])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" form={id} look={look} busy={busy} blocked={blocked ?? false}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles['form']}
        noValidate
        // The error no longer applies once the form changes.
        onInput={() => setNoticeOutdated(problem)}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && !blocked) onSubmit()
        }}
      >
        {children}
        {problem !== null && problem !== isNoticeOutdated && (
          <div ref={notice}>
            <ProblemNotice error={problem} isAlert />
          </div>
        )}
      </form>
    </Dialog>
  )
}
