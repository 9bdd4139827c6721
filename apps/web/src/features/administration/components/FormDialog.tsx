import type { ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { forgetDone } from '#ui/telling/done.ts'
import { ProblemNotice } from '#ui/telling/ProblemNotice.tsx'
import styles from './AdministrationPage.module.css'

type Props = {
  readonly title: string
  readonly verb: string
  readonly look?: 'primary' | 'danger'
  readonly busy: boolean
  readonly blocked?: boolean
  /** Why it failed; null when it has not. */
  readonly problem: unknown
  readonly onSubmit: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A question with one answer that changes something: Enter gives it too. */
export const FormDialog = ({ title, verb, look = 'primary', busy, blocked, problem, onSubmit, onClose, children }: Props) => {
  const { t } = useTranslation('features/administration')
  const id = useId()
  const notice = useRef<HTMLDivElement>(null)
  const [outdated, setOutdated] = useState<unknown>(null)
  useEffect(forgetDone, [])
  useEffect(() => {
    // A long form hides it under the buttons.
    if (problem !== null) notice.current?.scrollIntoView({ block: 'center' })
  }, [problem])
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form={id} look={look} busy={busy} blocked={blocked ?? false}>
            {verb}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className={styles['form']}
        noValidate
        // What was refused was the form as it was.
        onInput={() => setOutdated(problem)}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && !blocked) onSubmit()
        }}
      >
        {children}
        {problem !== null && problem !== outdated && (
          <div ref={notice}>
            <ProblemNotice error={problem} isAlert />
          </div>
        )}
      </form>
    </Dialog>
  )
}
