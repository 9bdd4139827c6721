import { useTranslation } from '#i18n/use-translation.ts'
import { directionOf } from '#lib/text/direction.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { Path } from '../merge.ts'
import type { ConflictQuestion } from '../use-save.ts'
import styles from './ConflictDialog.module.css'

/** How the conflict dialog labels and displays the values of a form. */
export type ConflictTexts = {
  readonly labelOf: (path: Path) => string
  /** Returns readable text for a value that can't be shown as it is, or undefined to use the dialog's own format. */
  readonly print?: (path: Path, value: unknown) => string | undefined
}

/** Compares the values that others have stored with the user's unsaved values, which would overwrite the stored ones. */
export const ConflictDialog = ({ question, texts }: { readonly question: ConflictQuestion; readonly texts: ConflictTexts }) => {
  const { t } = useTranslation('features/settings')
  const { conflicts, keepMine, takeTheirs, leave } = question
  const printed = (path: Path, value: unknown): string => {
    const customText = texts.print?.(path, value)
    if (customText !== undefined) return customText
    if (value === undefined || value === null || value === '') return t('conflict.nothing')
    return Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  const renderSide = (name: string, label: string, text: string) => (
    <div className={styles['side']}>
      <p className={styles['whose']} aria-hidden="true">
        {name}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className={styles['text']} tabIndex={0} aria-label={`${label}: ${name}`} dir={directionOf(text)}>
        {text}
      </section>
    </div>
  )
  return (
    <Dialog
      open
      wide
      onOpenChange={leave}
      title={t('conflict.title')}
      actions={
        <>
          <Button onClick={leave}>{t('conflict.leave')}</Button>
          <Button onClick={takeTheirs}>{t('conflict.take')}</Button>
          <Button look="primary" onClick={keepMine}>
            {t('conflict.keep')}
          </Button>
        </>
      }
    >
      <p>{t('conflict.explain')}</p>
      {conflicts.map(({ path, mine, theirs }) => {
        const label = texts.labelOf(path)
        return (
          <div key={path.join('\n')} className={styles['conflict']}>
            <h3 className={styles['label']}>
              <bdi>{label}</bdi>
            </h3>
            {renderSide(t('conflict.theirs'), label, printed(path, theirs))}
            {renderSide(t('conflict.mine'), label, printed(path, mine))}
          </div>
        )
      })}
    </Dialog>
  )
}
