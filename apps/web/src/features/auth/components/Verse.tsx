import { useTranslation } from '#i18n/use-translation.ts'
import styles from './Verse.module.css'

const lines = ['note', 'margin', 'text'] as const

/**
 * Explains the word "postil" on a page with notes. Each line has text, and the note next to it explains what the text means in
 * Postil.
 */
export const Verse = () => {
  const { t } = useTranslation('features/auth')
  return (
    <div className={styles['verse']}>
      {lines.map((line) => (
        <p key={line} className={styles['line']}>
          <span className={styles['text']}>{t(`verse.${line}`)}</span>
          <span className={styles['note']}>{t(`verse.${line}Is`)}</span>
        </p>
      ))}
      <p className={styles['origin']}>{t('verse.origin')}</p>
    </div>
  )
}
