import { useTranslation } from '#i18n/use-translation.ts'
import { directionOf } from '#lib/text/direction.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import type { Path } from '../merge.ts'
import type { Question } from '../use-save.ts'
import styles from './ConflictDialog.module.css'

/** How a form calls what it holds. */
export type Told = {
  readonly labelOf: (path: Path) => string
  /** A value where it is no text, or none to be read; undefined leaves it to the dialog. */
  readonly print?: (path: Path, value: unknown) => string | undefined
}

/** Shows what others have stored meanwhile beside what one was about to store over it. */
export const ConflictDialog = ({ question, told }: { readonly question: Question; readonly told: Told }) => {
  const { t } = useTranslation('features/settings')
  const { conflicts, keepMine, takeTheirs, leave } = question
  const printed = (path: Path, value: unknown): string => {
    const own = told.print?.(path, value)
    if (own !== undefined) return own
    if (value === undefined || value === null || value === '') return t('conflict.nothing')
    return Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  const side = (name: string, label: string, text: string) => (
    <div className={styles['side']}>
      <p className={styles['whose']} aria-hidden="true">
        {name}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
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
        const label = told.labelOf(path)
        return (
          <div key={path.join('\n')} className={styles['conflict']}>
            <h3 className={styles['label']}>
              <bdi>{label}</bdi>
            </h3>
            {side(t('conflict.theirs'), label, printed(path, theirs))}
            {side(t('conflict.mine'), label, printed(path, mine))}
          </div>
        )
      })}
    </Dialog>
  )
}
