import { useEffect, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { copiedDuration } from '#lib/constants.ts'
import { announce } from '../feedback/announcer.ts'
import { toast } from '../feedback/toast.ts'
import { CheckIcon, CopyIcon } from '../marks/icons.tsx'
import { classNames } from '../styles/class-names.ts'
import styles from './CopyButton.module.css'
import { IconButton } from './IconButton.tsx'

/** Copies text and shows a confirmation for a second. */
export const CopyButton = ({
  label,
  text,
  className,
}: {
  readonly label: string
  readonly text: string
  readonly className?: string | undefined
}) => {
  const { t } = useTranslation()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedDuration)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announce(t('action.copied'))
    } catch {
      // Browsers provide no clipboard on pages loaded over plain HTTP from another machine.
      toast({ text: t('action.copyFailed'), kind: 'danger', key: 'copy' })
    }
  }
  return (
    <span className={classNames(styles['copy'], className)}>
      {copied && (
        <span className={styles['copied']} aria-hidden="true">
          {t('action.copied')}
        </span>
      )}
      <IconButton icon={copied ? CheckIcon : CopyIcon} label={label} onClick={() => void copy()} />
    </span>
  )
}
