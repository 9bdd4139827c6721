import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { capOf } from '#lib/keys/caps.ts'
import type { Shortcut } from '#question-types/define.ts'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import styles from './ShortcutDialog.module.css'

type SectionProps = {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
  /** Returns the text for a shortcut's message key. */
  readonly describe: (message: string) => string
}

/** A group of shortcuts with a title. */
export const ShortcutSection = ({ title, shortcuts, describe }: SectionProps) => (
  <section>
    <h3 className={styles['title']}>{title}</h3>
    <dl className={styles['list']}>
      {shortcuts.map(({ keys, message }) => (
        <div key={message} className={styles['line']}>
          <dt className={styles['keys']}>
            {keys.map((key) => (key === '…' ? <span key={key}>…</span> : <kbd key={key}>{capOf(key)}</kbd>))}
          </dt>
          <dd>{describe(message)}</dd>
        </div>
      ))}
    </dl>
  </section>
)

/** The shortcuts of a screen, in sections. */
export const ShortcutDialog = ({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) => {
  const { t } = useTranslation('features/annotate')
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t('shortcuts.title')} wide>
      <div className={styles['sheet']}>{children}</div>
      <p className={styles['change']}>
        <Link to="/user-settings" hash="keys" className="standing">
          {t('shortcuts.change')}
        </Link>
      </p>
    </Dialog>
  )
}
