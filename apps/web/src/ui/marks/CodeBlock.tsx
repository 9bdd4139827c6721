import { useTranslation } from '#i18n/use-translation.ts'
import { CopyButton } from '../controls/CopyButton.tsx'
import styles from './CodeBlock.module.css'

type Props = {
  readonly label: string
  readonly shown: string /** The text to copy, if it differs from the text shown. */
  readonly copied?: string
}

export const CodeBlock = ({ label, shown, copied = shown }: Props) => {
  const { t } = useTranslation()
  return (
    <div className={styles['block']}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={styles['code']} tabIndex={0} aria-label={label}>
        <pre>
          <code>{shown}</code>
        </pre>
      </section>
      <CopyButton label={t('action.copy')} text={copied} className={styles['copy']} />
    </div>
  )
}
